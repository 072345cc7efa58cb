import { conflict, formatTime, notFound, structuralEqual } from "@kaji/core";
import type { DynamicObject, Status } from "@kaji/core";
import { validateAll } from "../admission.ts";
import type { AdmissionPlugin } from "../admission.ts";
import type { StrategyContext } from "../strategy.ts";
import { shownDeleteOptions } from "../request/delete-options.ts";
import type { DeleteOptions } from "../request/delete-options.ts";
import type { RequestContext } from "../request/request-context.ts";
import { withMetadata, withoutMetadata } from "./object-meta.ts";
import { objectOutcome } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import type { Registry } from "./registry.ts";
import type { ServedObject } from "./served-object.ts";
import { strategyContext, targetOf } from "./stored-objects.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** Finalizers by which a deletion waits for the garbage collector. */
const orphanFinalizer = "orphan";
const foregroundFinalizer = "foregroundDeletion";

/** DELETE: removes an object, or marks it while it has finalizers or a grace period. What the server itself deletes is not admitted. */
export async function deleteObject(
  registry: Registry,
  target: Target,
  context: RequestContext,
  options: DeleteOptions,
  admission: readonly AdmissionPlugin[] = registry.admission,
): Promise<Outcome> {
  const { kind, version, namespace } = target;
  const name = requiredName(target);
  const store = registry.store(kind, version);
  warnOfPropagation(target, options, context);
  for (;;) {
    const live = await store.read(namespace, name);
    if (live === undefined) throw notFound(kind, name);
    refusePrecondition(target, live.object, options);
    version.strategy.guard?.("delete", live.object, strategyContext(registry, context));
    await validateAll(admission, {
      operation: "DELETE",
      target,
      object: undefined,
      oldObject: live.object,
      options: shownDeleteOptions(options),
      dryRun: options.dryRun,
      context,
    });
    // The code of an answer that shows the object as it still is.
    const code = options.expectsDependentsGone ? 202 : 200;
    const marked = marking(target, live.object, options, strategyContext(registry, context));
    if (marked.type === "Pending") return objectOutcome(code, live);
    if (marked.type === "Mark") {
      if (options.dryRun) return objectOutcome(code, marked.object);
      if (structuralEqual(marked.object, live.object)) return objectOutcome(code, live);
      const written = await store.replace(namespace, live, marked.object);
      if (written.type === "Stored") return objectOutcome(code, written.served);
      continue;
    }
    if (options.dryRun) return deleted(target, marked.mark ?? live.object);
    const { mark } = marked;
    const isMarkedFirst = mark !== undefined && !structuralEqual(mark, live.object);
    const last = isMarkedFirst ? await markedFirst(registry, target, live, { mark, context }) : live;
    if (last === undefined) continue;
    const removed = await store.remove(namespace, last);
    if (removed.type === "Conflict") {
      // Whoever saw the mark may have removed it.
      const isGone = removed.current?.object.metadata.uid !== last.object.metadata.uid;
      if (isMarkedFirst && isGone) return deleted(target, last.object);
      continue;
    }
    await deleteCompanions(registry, target, removed.served.object, context);
    return deleted(target, removed.served.object);
  }
}

/** Deletes what is not to outlive an object that is gone. */
export async function deleteCompanions(
  registry: Registry,
  { version }: Target,
  object: DynamicObject,
  context: RequestContext,
): Promise<void> {
  for (const { resource, namespace, name } of version.strategy.companions?.(object) ?? []) {
    const companion = targetOf(registry, resource, namespace, name);
    if (!registry.store(companion.kind, companion.version).has(namespace, name)) continue;
    await deleteObject(registry, companion, context, plainDeletion, []);
  }
}

const plainDeletion: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagation: undefined,
  expectsDependentsGone: false,
  uid: undefined,
  resourceVersion: undefined,
};

/** Kinds whose deletion is graceful are marked even if no time is left, so that watchers see both. Undefined when another write came first. */
async function markedFirst(
  registry: Registry,
  { kind, version, namespace }: Target,
  live: ServedObject,
  { mark, context }: { readonly mark: DynamicObject; readonly context: RequestContext },
): Promise<ServedObject | undefined> {
  const written = await registry.store(kind, version).replace(namespace, live, mark);
  if (written.type !== "Stored") return undefined;
  if (registry.markedForMs > 0) await context.clock.sleep(registry.markedForMs);
  return written.served;
}

/** What a deletion does to the object now: nothing yet, a mark, or its end. */
type Marking =
  | { readonly type: "Pending" }
  | { readonly type: "Mark"; readonly object: DynamicObject }
  | { readonly type: "Remove"; readonly mark: DynamicObject | undefined };

function marking(target: Target, live: DynamicObject, options: DeleteOptions, context: StrategyContext): Marking {
  const { strategy } = target.version;
  const { nowMs } = context;
  const held = strategy.holdDeletion?.(live, context, options);
  if (held !== undefined) return { type: "Mark", object: held };
  const grace = gracePeriodOf(target, live, options, nowMs);
  if (grace.type === "Pending") return grace;
  const finalizers = finalizersFor(target, live, options);
  const object = finalizers.length === 0 ? withoutMetadata(grace.object, "finalizers") : withMetadata(grace.object, { finalizers });
  if (grace.seconds > 0) return { type: "Mark", object };
  if (finalizers.length > 0) return { type: "Mark", object: markedDeleted(object, nowMs) };
  return { type: "Remove", mark: strategy.gracePeriod === undefined ? undefined : object };
}

type Grace = { readonly type: "Pending" } | { readonly type: "Graced"; readonly object: DynamicObject; readonly seconds: number };

/** Graceful deletion: the first request sets the time to go, a later one may only shorten it. */
function gracePeriodOf({ version }: Target, live: DynamicObject, options: DeleteOptions, nowMs: number): Grace {
  const { gracePeriod } = version.strategy;
  const asked = options.gracePeriodSeconds === undefined ? undefined : options.gracePeriodSeconds < 0 ? 1 : options.gracePeriodSeconds;
  if (gracePeriod === undefined) return { type: "Graced", object: live, seconds: 0 };
  const { deletionTimestamp, deletionGracePeriodSeconds: present = 0 } = live.metadata;
  if (deletionTimestamp === undefined) {
    const seconds = gracePeriod(live, asked);
    return { type: "Graced", object: withDeletion(live, nowMs + seconds * 1000, seconds), seconds };
  }
  if (present === 0) return { type: "Graced", object: live, seconds: 0 };
  if (asked === undefined || asked >= present) return { type: "Pending" };
  const dueMs = Date.parse(deletionTimestamp) - present * 1000 + asked * 1000;
  const seconds = dueMs < nowMs && asked > 0 ? 1 : asked;
  const object = withMetadata(live, { deletionTimestamp: formatTime(Math.max(dueMs, nowMs)), deletionGracePeriodSeconds: seconds });
  return { type: "Graced", object, seconds };
}

/** An object whose deletion has begun; once begun, its time stays. */
function markedDeleted(object: DynamicObject, nowMs: number): DynamicObject {
  return object.metadata.deletionTimestamp === undefined
    ? withDeletion(object, nowMs, 0)
    : withMetadata(object, { deletionGracePeriodSeconds: 0 });
}

function withDeletion(object: DynamicObject, dueMs: number, seconds: number): DynamicObject {
  const { generation } = object.metadata;
  return withMetadata(object, {
    deletionTimestamp: formatTime(dueMs),
    deletionGracePeriodSeconds: seconds,
    ...(generation === undefined ? {} : { generation: generation + 1 }),
  });
}

/** The object's finalizers, with those that make the garbage collector orphan or await dependents as the request wants it: as they are, where nothing but the order would be new. */
function finalizersFor({ version }: Target, { metadata }: DynamicObject, { propagation }: DeleteOptions): readonly string[] {
  const { finalizers = [] } = metadata;
  const { defaultPropagation = "Background" } = version.strategy;
  if (defaultPropagation === "Unsupported") return finalizers;
  const others = finalizers.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  const chosen = propagation ?? chosenByFinalizer(finalizers) ?? defaultPropagation;
  const wanted = chosen === "Background" ? others : [...others, chosen === "Orphan" ? orphanFinalizer : foregroundFinalizer];
  const isNew = new Set(finalizers).symmetricDifference(new Set(wanted)).size > 0;
  return isNew ? wanted : finalizers;
}

function chosenByFinalizer(finalizers: readonly string[]): "Orphan" | "Foreground" | undefined {
  if (finalizers.includes(orphanFinalizer)) return "Orphan";
  return finalizers.includes(foregroundFinalizer) ? "Foreground" : undefined;
}

/** Warns where a deletion does not say what becomes of dependents, for kinds whose default may surprise. */
export function warnOfPropagation({ version }: Target, { propagation }: DeleteOptions, { warn }: RequestContext): void {
  const { propagationWarning } = version.strategy;
  if (propagationWarning !== undefined && propagation === undefined) warn(propagationWarning);
}

function refusePrecondition({ kind, version }: Target, { metadata }: DynamicObject, options: DeleteOptions): void {
  const checks = [
    { what: "UID", wanted: options.uid, present: metadata.uid, guess: "deleted and then recreated" },
    { what: "ResourceVersion", wanted: options.resourceVersion, present: metadata.resourceVersion, guess: "modified" },
  ];
  for (const { what, wanted, present, guess } of checks) {
    if (wanted === undefined || wanted === present) continue;
    // Kinds that hold their deletion have their own words on the real server.
    if (version.strategy.holdDeletion !== undefined) {
      throw conflict(kind, metadata.name, `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${present}`);
    }
    const why = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${present})`;
    throw conflict({ group: kind.group, plural: kind.kind }, metadata.name, `${why}. The object might have been ${guess}`);
  }
}

function deleted({ kind, version }: Target, object: DynamicObject): Outcome {
  if (version.strategy.returnsDeleted === true) return objectOutcome(200, object);
  const { name, uid } = object.metadata;
  const details = { name, ...(kind.group === "" ? {} : { group: kind.group }), kind: kind.plural, ...(uid === undefined ? {} : { uid }) };
  const status: Status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
  return { type: "Status", code: 200, status };
}
