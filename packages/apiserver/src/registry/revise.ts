import { conflict, notFound, refusal, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { mutateAll, validateAll } from "../admission.ts";
import { withoutTimeChange } from "../apply/object-managers.ts";
import type { RequestContext } from "../request/request-context.ts";
import { unsignedProblem } from "../request/unsigned.ts";
import { shownOptions } from "../request/write-options.ts";
import type { WriteOptions } from "../request/write-options.ts";
import { deleteCompanions } from "./delete.ts";
import { invalidObject } from "./invalid-object.ts";
import { followingMetadata, inNamespace, keepSystemMetadata, withMetadata } from "./object-meta.ts";
import { validateMetadataUpdate } from "./object-meta-validation.ts";
import type { OwnersKept } from "./object-store.ts";
import { objectOutcome } from "./outcome.ts";
import type { ObjectOutcome } from "./outcome.ts";
import type { Registry } from "./registry.ts";
import { withUniqueOwners } from "./owner-references.ts";
import { withReservation } from "./reservation.ts";
import type { ServedObject } from "./served-object.ts";
import { withSoundManagers } from "./sound-managers.ts";
import { strategyContext } from "./stored-objects.ts";
import { requiredName, strategyOf } from "./target.ts";
import type { Target } from "./target.ts";

/** A change to an object that exists: by PUT, patch or apply, on the object or one of its subresources. */
export interface Revision {
  readonly options: Pick<WriteOptions, "dryRun">;
  /** The object as the client wants it, given the present one; called again when another write came first. */
  readonly wanted: (live: DynamicObject) => DynamicObject | Promise<DynamicObject>;
  /** How admission plugins see the object, where its subresource is of a type of its own. Default as it is. */
  readonly view?: AdmissionView;
  readonly owners?: OwnersKept;
}

/** An object as something else, and what becomes of it when that is changed. */
export interface AdmissionView {
  show(object: DynamicObject): DynamicObject;
  /** The object with what was changed in its view. */
  take(object: DynamicObject, view: DynamicObject): DynamicObject;
}

const asItIs: AdmissionView = { show: (object) => object, take: (_object, view) => view };

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
    const live = await store.read(target.namespace, name);
    if (live === undefined) throw notFound(target.kind, name);
    const revised = await reviseOnce(registry, target, context, revision, live);
    if (revised !== undefined) return revised;
  }
}

/** Undefined when another write came first. */
async function reviseOnce(
  registry: Registry,
  target: Target,
  context: RequestContext,
  { options, wanted, view = asItIs, owners }: Revision,
  live: ServedObject,
): Promise<ObjectOutcome | undefined> {
  const { namespace } = target;
  const strategy = strategyOf(target);
  const known = strategyContext(registry, context);
  const old = live.object;
  const admission = {
    operation: "UPDATE",
    target,
    oldObject: view.show(old),
    options: shownOptions("UpdateOptions", context.query),
    dryRun: options.dryRun,
    context,
  } as const;

  const sent = inNamespace(await wanted(old), namespace);
  const admitted = view.take(sent, await mutateAll(registry.admission, { ...admission, object: view.show(sent) }));
  const sound = withSoundManagers(admitted, sent, context.warn);
  const given = keepSystemMetadata(withUniqueOwners(sound, "after admission", context.warn), old);
  return withReservation(strategy, given, old, known, async (reserved) => {
    const prepared = strategy.prepareUpdate?.(reserved, old, known) ?? reserved;
    const { object, next, before } = following(target, prepared, old);
    refuseInvalid(target, object, before, context.warn);
    strategy.guard?.("update", object, known);
    for (const warning of strategy.warnings?.(object, before) ?? []) context.warn(warning);
    await validateAll(registry.admission, { ...admission, object: view.show(object) });
    if (structuralEqual(next, old) && !live.isKeptAsFormerly) return { outcome: objectOutcome(200, live), stored: true };
    const store = registry.store(target.kind, target.version);
    const isLast = endsWith(target, next, old);
    // What is gone never came back from storage, not even in a dry run.
    const gone = (): DynamicObject => target.version.schema.shown?.(object) ?? object;
    if (options.dryRun) return { outcome: objectOutcome(200, isLast ? gone() : await store.codec.asKept(next)), stored: false };
    const written = await (isLast ? store.remove(namespace, live) : store.replace(namespace, live, next, { owners }));
    if (written.type === "Conflict") return { outcome: undefined, stored: false };
    // What the object was given goes with it; what this very write took goes when that settles.
    if (isLast) await deleteCompanions(registry, target, old, context);
    return { outcome: objectOutcome(200, isLast ? gone() : written.served), stored: !isLast };
  });
}

/** A change at its next revision and generation. */
interface Following {
  /** As it is under way, with lists and maps that are empty. */
  readonly object: DynamicObject;
  /** As it is stored. */
  readonly next: DynamicObject;
  /** The present object, for comparisons with the one under way. */
  readonly before: DynamicObject;
}

function following(target: Target, prepared: DynamicObject, old: DynamicObject): Following {
  const { schema } = target.version;
  const { countsEmpties = false, generationOf } = strategyOf(target);
  const kept = schema.kept?.(prepared) ?? prepared;
  const metadata = followingMetadata(countsEmpties ? prepared : kept, old, generationOf);
  const object = withMetadata(prepared, metadata);
  const next = withoutTimeChange(old, kept === prepared ? object : withMetadata(kept, metadata));
  return kept === prepared ? { object: next, next, before: old } : { object, next, before: schema.matched?.(old, object) ?? old };
}

/** 409 unless the revision that the client has seen, where it names one, is the present one. */
export function refuseStale(target: Target, { metadata }: DynamicObject, live: DynamicObject): void {
  const resourceVersion = metadata?.resourceVersion ?? "";
  if (resourceVersion === "" || resourceVersion === live.metadata.resourceVersion) return;
  const problem = unsignedProblem(resourceVersion);
  if (problem !== undefined) throw refusal("", problem);
  if (/^0*$/.test(resourceVersion)) return;
  throw conflict(
    target.kind,
    requiredName(target),
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

/** 409 when the client means another object of that name, or, without a live one, any. */
export function refuseOtherUid(
  target: Target,
  { metadata }: DynamicObject,
  live: DynamicObject | undefined,
  { dryRun }: Pick<WriteOptions, "dryRun">,
): void {
  const { kind, namespace } = target;
  const { uid = "" } = metadata;
  if (uid === "" || uid === live?.metadata.uid) return;
  // What does not go to storage does not know what its keys begin with.
  const prefix = dryRun ? kind.storagePrefix.replace(/^\/registry/, "") : kind.storagePrefix;
  const key = `${prefix}${namespace === undefined ? "" : `${namespace}/`}${requiredName(target)}`;
  const detail = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live?.metadata.uid ?? ""}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`;
  throw conflict(kind, requiredName(target), why);
}

/** Whether the object goes with this change: its deletion was waiting for nothing else. */
function endsWith({ version }: Target, next: DynamicObject, live: DynamicObject): boolean {
  const isReleased = (live.metadata.deletionGracePeriodSeconds ?? 0) === 0 && (next.metadata.finalizers ?? []).length === 0;
  return isReleased && live.metadata.deletionTimestamp !== undefined && (version.strategy.isFinal?.(next) ?? true);
}

function refuseInvalid(target: Target, next: DynamicObject, live: DynamicObject, warn: (text: string) => void): void {
  const errors = [...validateMetadataUpdate(next, live, target.kind), ...(strategyOf(target).validateUpdate?.(next, live, warn) ?? [])];
  if (errors.length > 0) throw invalidObject(target.kind, next, errors);
}
