import { conflict, invalid, notFound } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { mutateAll, validateAll } from "../admission.ts";
import { jsonEqual } from "../json-equal.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { WriteOptions } from "../request/write-options.ts";
import { inNamespace, keepSystemMetadata, nextGeneration, withMetadata } from "./object-meta.ts";
import { validateMetadataUpdate } from "./object-meta-validation.ts";
import { objectOutcome } from "./outcome.ts";
import type { ObjectOutcome } from "./outcome.ts";
import type { Registry } from "./registry.ts";
import { withReservation } from "./reservation.ts";
import type { ServedObject } from "./served-object.ts";
import { strategyContext } from "./stored-objects.ts";
import { requiredName, strategyOf } from "./target.ts";
import type { Target } from "./target.ts";

/** A change to an object that exists: by PUT, patch or apply, on the object or one of its subresources. */
export interface Revision {
  readonly options: Pick<WriteOptions, "dryRun">;
  /** The object as the client wants it, given the present one; called again when somebody else was faster. */
  readonly wanted: (live: DynamicObject) => DynamicObject;
}

/** Takes a change through all steps, from the object as it is to what is stored. */
export async function reviseObject(
  registry: Registry,
  target: Target,
  context: RequestContext,
  revision: Revision,
): Promise<ObjectOutcome> {
  const name = requiredName(target);
  const store = registry.store(target.kind, target.version);
  for (;;) {
    const live = store.get(target.namespace, name);
    if (live === undefined) throw notFound(target.kind, name);
    const revised = await reviseOnce(registry, target, context, revision, live);
    if (revised !== undefined) return revised;
  }
}

/** Undefined when somebody else was faster. */
async function reviseOnce(
  registry: Registry,
  target: Target,
  context: RequestContext,
  { options, wanted }: Revision,
  live: ServedObject,
): Promise<ObjectOutcome | undefined> {
  const { namespace } = target;
  const strategy = strategyOf(target);
  const known = strategyContext(registry, context);
  const old = live.object;
  const admission = { operation: "UPDATE", target, oldObject: old, dryRun: options.dryRun, context } as const;

  const sent = inNamespace(wanted(old), namespace);
  const admitted = await mutateAll(registry.admission, { ...admission, object: sent });
  const kept = keepSystemMetadata(admitted, old);
  const prepared = strategy.prepareUpdate?.(kept, old, known) ?? kept;
  const valid = atRevisionOf(nextGeneration(prepared, old, strategy.generationOf), old);
  refuseInvalid(target, valid, old);
  strategy.guard?.("update", valid, known);
  for (const warning of strategy.warnings?.(valid, old) ?? []) context.warn(warning);
  return withReservation(strategy, valid, old, known, async (next) => {
    await validateAll(registry.admission, { ...admission, object: next });
    if (jsonEqual(next, old)) return { outcome: objectOutcome(200, live), stored: true };
    if (options.dryRun) return { outcome: objectOutcome(200, next), stored: false };
    const store = registry.store(target.kind, target.version);
    const isLast = endsWith(target, next, old);
    const written = await (isLast ? store.remove(namespace, live) : store.replace(namespace, live, next));
    if (written.type === "Conflict") return { outcome: undefined, stored: false };
    return { outcome: objectOutcome(200, isLast ? next : written.served), stored: !isLast };
  });
}

/** 409 unless the client's idea of the object, where it has one, is the present one. */
export function refuseStale(target: Target, sent: DynamicObject, live: DynamicObject): void {
  const { uid, resourceVersion } = sent.metadata;
  const { kind, namespace } = target;
  const name = requiredName(target);
  if ((uid ?? "") !== "" && uid !== live.metadata.uid) {
    const key = `${kind.storagePrefix}${namespace === undefined ? "" : `${namespace}/`}${name}`;
    const detail = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`;
    throw conflict(kind, name, `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`);
  }
  if ((resourceVersion ?? "") !== "" && resourceVersion !== live.metadata.resourceVersion) {
    throw conflict(kind, name, "the object has been modified; please apply your changes to the latest version and try again");
  }
}

/** Whether the object goes with this change: its deletion was waiting for nothing else. */
function endsWith({ version }: Target, next: DynamicObject, live: DynamicObject): boolean {
  const isReleased = (live.metadata.deletionGracePeriodSeconds ?? 0) === 0 && (next.metadata.finalizers ?? []).length === 0;
  return isReleased && live.metadata.deletionTimestamp !== undefined && (version.strategy.isFinal?.(next) ?? true);
}

function refuseInvalid(target: Target, next: DynamicObject, live: DynamicObject): void {
  const errors = [...validateMetadataUpdate(next, live, target.kind), ...(strategyOf(target).validateUpdate?.(next, live) ?? [])];
  if (errors.length > 0) throw invalid(target.kind, next.metadata.name, errors);
}

function atRevisionOf(object: DynamicObject, { metadata }: DynamicObject): DynamicObject {
  const { resourceVersion } = metadata;
  return resourceVersion === undefined ? object : withMetadata(object, { resourceVersion });
}
