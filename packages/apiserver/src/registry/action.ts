import { formatApiVersion } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { FieldManager } from "../apply/field-manager.ts";
import type { ActionContext, ActionSubresource } from "../subresource.ts";
import { decodeBody } from "../request/body.ts";
import type { RequestContext } from "../request/request-context.ts";
import { writeOptions } from "../request/write-options.ts";
import { admitUnstored } from "./create.ts";
import { deleteObject } from "./delete.ts";
import { inNamespace } from "./object-meta.ts";
import { objectOutcome } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { reading, writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { strategyContext, targetOf } from "./stored-objects.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** POST on a subresource that does something to its object. */
export async function runAction(registry: Registry, target: Target, action: ActionSubresource, context: RequestContext): Promise<Outcome> {
  const options = writeOptions("CreateOptions", context.query, context.headers["user-agent"]);
  const sent = decodeBody(context.body, context.headers["content-type"], action, reading(registry, context, options));
  const asked = withOwners(inNamespace(sent, target.namespace), action, writeBy(options.fieldManager, target, context.clock.now()));
  const body = await admitUnstored(registry, target, context, { object: asked, options });
  const actionTarget = { namespace: target.namespace, name: requiredName(target), dryRun: options.dryRun };
  const actionContext: ActionContext = {
    ...strategyContext(registry, context),
    deleteObject: async (resource, namespace, name, deletion) => {
      await deleteObject(registry, targetOf(registry, resource, namespace, name), context, deletion, []);
    },
  };
  return objectOutcome(201, await action.run(actionTarget, body, actionContext));
}

/** What was sent, filled in, with the owner of its fields where that is told. */
function withOwners(
  sent: DynamicObject,
  { group, version, kind, owned }: ActionSubresource,
  by: ReturnType<typeof writeBy>,
): DynamicObject {
  if (owned === undefined) return sent;
  const apiVersion = formatApiVersion({ group, version });
  const empty = (): DynamicObject => ({ ...owned.empty, kind, apiVersion, metadata: { name: "" } });
  const fields = new FieldManager({ kind, schemaAt: () => owned.mergeSchema, empty });
  return fields.update({ ...by, apiVersion, next: owned.default(sent) });
}
