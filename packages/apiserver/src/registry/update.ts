import { FieldPath, badRequest, invalid, invalidValue } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { decodeBody } from "../request/body.ts";
import type { RequestContext } from "../request/request-context.ts";
import { writeOptions } from "../request/write-options.ts";
import { createObject } from "./create.ts";
import type { Outcome } from "./outcome.ts";
import { reading, writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { refuseOtherUid, refuseStale, reviseObject } from "./revise.ts";
import { inNamespace, withoutMetadata } from "./object-meta.ts";
import { withUniqueOwners } from "./owner-references.ts";
import { expectedType, requiredName, strategyOf } from "./target.ts";
import type { Target } from "./target.ts";

/** PUT: replaces an object, or makes it where the kind allows that. */
export async function update(registry: Registry, target: Target, context: RequestContext): Promise<Outcome> {
  const options = writeOptions("UpdateOptions", context.query, context.headers["user-agent"]);
  const decoded = decodeBody(context.body, context.headers["content-type"], expectedType(target), reading(registry, context, options));
  const sent = inNamespace(decoded, target.namespace);
  const name = requiredName(target);
  refuseOtherName(sent, name);
  const strategy = strategyOf(target);
  const nowMs = context.clock.now();
  const complete = (object: DynamicObject, live?: DynamicObject): Promise<DynamicObject> => {
    const next = target.version.strategy.default?.(object) ?? object;
    const by = writeBy(options.fieldManager, target, nowMs);
    return registry.fieldManagers.run(target.kind, (fields) => fields.update({ live, next, ...by }));
  };
  const exists = registry.store(target.kind, target.version).has(target.namespace, name);
  if (!exists && strategy.createOnUpdate === true && target.subresource === undefined) {
    refuseOtherUid(target, sent, undefined, options);
    return createObject(registry, target, context, { sent: withoutMetadata(sent, "resourceVersion"), options, complete });
  }
  return reviseObject(registry, target, context, {
    options,
    wanted: async (live) => {
      refuseOtherUid(target, sent, live, options);
      refuseStale(target, sent, live);
      refuseUnconditional(target, sent);
      return complete(withUniqueOwners(sent, "as sent", context.warn), live);
    },
  });
}

/** 400 when the body names another object than the path. */
export function refuseOtherName(object: DynamicObject, name: string): void {
  const given = object.metadata.name ?? "";
  if (given === "") throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** 422 when an object comes without the revision it is to replace, or with 0, for kinds that insist on it. */
export function refuseUnconditional({ kind, version }: Target, sent: DynamicObject): void {
  if (version.strategy.unconditionalUpdate !== false || !/^0*$/.test(sent.metadata.resourceVersion ?? "")) return;
  const error = invalidValue(FieldPath.of("metadata", "resourceVersion"), 0, "must be specified for an update");
  throw invalid({ group: kind.group, kind: kind.plural }, sent.metadata.name, [error]);
}
