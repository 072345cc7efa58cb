import { badRequest, conflict, formatApiVersion, jsonOf, notFound } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { readApplied } from "../request/applied-configuration.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { PatchOptions } from "../request/write-options.ts";
import { createObject } from "./create.ts";
import { withoutMetadata } from "./object-meta.ts";
import type { Outcome } from "./outcome.ts";
import { writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { refuseStale, reviseObject } from "./revise.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";
import { refuseOtherName } from "./update.ts";

/** Server-side apply: makes the object have what the patch says, and no longer what this manager said before and says no more. */
export async function applyPatch(registry: Registry, target: Target, context: RequestContext, options: PatchOptions): Promise<Outcome> {
  const { kind, version, namespace } = target;
  const name = requiredName(target);
  const type = { apiVersion: formatApiVersion({ group: kind.group, version: version.version }), kind: kind.kind };
  const isThere = registry.store(kind, version).has(namespace, name);
  if (!isThere && target.subresource !== undefined) throw notFound(kind, name);
  const patch = readApplied(context.body, type, options.fieldValidation);
  refuseOtherNamespace(patch, namespace);
  const complete = (object: DynamicObject): DynamicObject => {
    const { object: whole } = version.schema.decode(jsonOf(object));
    return version.strategy.default?.(whole) ?? whole;
  };
  const request = { patch, force: options.force, ...writeBy(options.fieldManager, target, context.clock.now()) };

  if (!isThere) {
    const uid = patch.metadata?.uid ?? "";
    if (uid !== "") {
      throw conflict(kind, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`);
    }
    const applied = await registry.fieldManagers.run(kind, (fields) => fields.apply(request));
    const sent = withoutMetadata(applied, "resourceVersion");
    refuseOtherName(sent, name);
    return createObject(registry, target, context, { sent, options, complete: async (object) => complete(object) });
  }
  return reviseObject(registry, target, context, {
    options,
    wanted: async (live) => {
      const applied = complete(await registry.fieldManagers.run(kind, (fields) => fields.apply({ ...request, live })));
      refuseOtherName(applied, name);
      refuseStale(target, patch, live);
      return applied;
    },
  });
}

function refuseOtherNamespace({ metadata }: DynamicObject, namespace: string | undefined): void {
  if (namespace === undefined || (metadata?.namespace ?? namespace) === namespace) return;
  throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}
