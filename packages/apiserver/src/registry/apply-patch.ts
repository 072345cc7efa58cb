import { conflict, formatApiVersion, isReason, jsonOf, notFound, refusal, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { describeObject } from "../apply/field-manager.ts";
import type { ApplyRequest } from "../apply/field-manager.ts";
import { formatGvk } from "../apply/managed-kind.ts";
import { withoutManagers } from "../apply/object-managers.ts";
import type { KindVersion } from "../kind.ts";
import { DecodeError } from "../object-schema.ts";
import type { ObjectSchema } from "../object-schema.ts";
import { readApplied } from "../request/applied-configuration.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { PatchOptions } from "../request/write-options.ts";
import { createObject } from "./create.ts";
import { inNamespace, withMetadata, withoutMetadata } from "./object-meta.ts";
import type { Outcome } from "./outcome.ts";
import { writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { refuseStale, reviseObject } from "./revise.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";
import { refuseOtherName, refuseUnconditional } from "./update.ts";

/**
 * Server-side apply: makes the object have what the patch says, and no longer what this manager said before and says no more. An object that comes or goes while it is applied is applied to as
 * it is then: neither is a reason to refuse the request.
 */
export async function applyPatch(registry: Registry, target: Target, context: RequestContext, options: PatchOptions): Promise<Outcome> {
  const { kind, version, namespace } = target;
  const name = requiredName(target);
  // A part of an object is applied only to an object that is there.
  const isThere = (): boolean => {
    const found = registry.store(kind, version).has(namespace, name);
    if (!found && target.subresource !== undefined) throw notFound(kind, name);
    return found;
  };
  let wasThere = isThere();
  const type = { apiVersion: formatApiVersion({ group: kind.group, version: version.version }), kind: kind.kind };
  const patch = readApplied(context.body, type, options.fieldValidation);
  for (;;) {
    try {
      return await (wasThere ? reviseApplied : createApplied)(registry, target, context, patch, options);
    } catch (error) {
      if (!isReason(error, wasThere ? "NotFound" : "AlreadyExists") || isThere() === wasThere) throw error;
      wasThere = !wasThere;
    }
  }
}

const createApplied: Application = async (registry, target, context, patch, options) => {
  const { kind } = target;
  const name = requiredName(target);
  const request = applyRequest(target, context, patch, options);
  const applied = await registry.fieldManagers.run(kind, (fields) => fields.apply(request));
  const uid = patch.metadata?.uid ?? "";
  if (uid !== "") {
    throw conflict(kind, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`);
  }
  const sent = withoutMetadata(applied, "resourceVersion");
  refuseOtherName(sent, name);
  const complete = async (object: DynamicObject): Promise<DynamicObject> => completed(target, patch, object);
  return createObject(registry, target, context, { sent, options, complete, owners: "Always" });
};

const reviseApplied: Application = (registry, target, context, patch, options) => {
  const request = applyRequest(target, context, patch, options);
  return reviseObject(registry, target, context, {
    options,
    owners: "Always",
    wanted: async (live) => {
      const merged = await registry.fieldManagers.run(target.kind, (fields) => fields.apply({ ...request, live }));
      const applied = inNamespace(completed(target, patch, merged, live), target.namespace);
      refuseOtherName(applied, requiredName(target));
      refuseStale(target, patch, live);
      refuseUnconditional(target, applied);
      return applied;
    },
  });
};

type Application = (
  registry: Registry,
  target: Target,
  context: RequestContext,
  patch: DynamicObject,
  options: PatchOptions,
) => Promise<Outcome>;

function applyRequest(
  target: Target,
  { clock }: RequestContext,
  patch: DynamicObject,
  { force, fieldManager }: PatchOptions,
): ApplyRequest {
  return { patch, force, ...writeBy(fieldManager, target, clock.now()) };
}

/** An object of which nothing changed but its owners stays as it is: read in another version than it is kept in, it has none of the defaults of that one. */
function completed({ version }: Target, patch: DynamicObject, object: DynamicObject, live?: DynamicObject): DynamicObject {
  if (live !== undefined && structuralEqual(withoutManagers(object), withoutManagers(live))) return object;
  const whole = asConversion(version.schema, patch, () => readAgain(version, object, live));
  return version.strategy.default?.(whole) ?? whole;
}

/** What was applied as it would be if it had been sent. The record of who owns what stays as it was written, and so do parts that are still the live object's. */
function readAgain({ schema }: KindVersion, object: DynamicObject, live: DynamicObject | undefined): DynamicObject {
  const applied = jsonOf(withoutManagers(object));
  const { object: whole } = schema.decodeApplied?.(applied, live) ?? schema.decode(applied, live);
  const managedFields = object.metadata?.managedFields ?? undefined;
  return managedFields === undefined ? whole : withMetadata(whole, { managedFields });
}

/** Says of a value that its type cannot read what the real server does, which converts maps into structs. Objects of custom kinds it keeps as maps. */
function asConversion<T>({ namesType }: ObjectSchema, patch: DynamicObject, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError) || namesType === true) throw error;
    const step = `failed to convert new object (${describeObject(patch)}) to proper version: unable to convert unstructured object to`;
    throw refusal("", `${step} ${formatGvk(patch.apiVersion, patch.kind)}: ${error.conversion ?? error.message}`);
  }
}
