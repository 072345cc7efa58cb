import type { ApplyConfiguration } from "@kaji/client";
import { durationMs, formatKind, isReason } from "@kaji/core";
import type { JsonObject, JsonValue, KubeObject, Resource } from "@kaji/core";
import type { DeclaredAccess } from "../declare/access.ts";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import { verbCheck } from "../declare/declared-verbs.ts";
import type { Controller } from "../declare/define-controller.ts";
import { ownName } from "../declare/own-name.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";
import type { EffectName, Undo } from "../declare/effect.ts";
import { ensureEffect, undoEffect } from "./effects.ts";
import type { EffectStore } from "./effects.ts";
import type { MetKinds } from "../controller/met-kinds.ts";
import type { Mirrors } from "../controller/mirrors.ts";
import type { OwnAnnotations } from "./own-annotations.ts";
import type { ReconcileAttempt } from "./reconcile-attempt.ts";
import type { AllLiveReads } from "./live-reads.ts";
import type { CacheReads, ReconcileContext, Writes } from "../declare/reconcile-context.ts";
import type { AppliedObjects } from "../writes/applied-objects.ts";
import { confirmObject } from "../writes/confirm-object.ts";
import { placed, tellDifference } from "../writes/children.ts";
import type { ChildScope } from "../writes/child-scope.ts";
import type { Children } from "../writes/children.ts";
import type { ObservedWrites } from "../writes/observed-writes.ts";
import { afterPatch, statusPatch, statusShape } from "../writes/set-status.ts";
import { withoutAbsent } from "../writes/without-absent.ts";

/** What the contexts of a controller's reconciles are made of. */
export interface ContextParts {
  readonly controller: Controller;
  readonly environment: ControllerEnvironment;
  readonly mirrors: Mirrors;
  readonly met: MetKinds;
  readonly readsUntil: (signal: AbortSignal) => AllLiveReads;
  readonly writes: ObservedWrites;
  readonly children: Children;
  readonly applied: AppliedObjects;
}

/** The context of one reconcile, and what it applies. */
export interface OpenContext {
  readonly context: ReconcileContext<KubeObject, DeclaredAccess>;
  readonly scope: ChildScope;
}

/** Opens the context in which an object is reconciled. */
export function openContext(parts: ContextParts, attempt: ReconcileAttempt, object: KubeObject): OpenContext {
  const { environment, writes, children } = parts;
  const client = settling(parts, writes.for(attempt));
  const { notes } = attempt;
  const reads = parts.readsUntil(attempt.signal);
  const live = notes?.notingLive(reads) ?? reads;
  const annotations = (): OwnAnnotations => ownAnnotations(parts, attempt, object);
  const kinds = children.kindsOf(annotations);
  const scope: ChildScope = { attempt, owner: object, writes, client, live, wanted: new Set(), statuses: new Map(), kinds, notes };
  const mirrored = cacheReads(parts, scope);
  const cache = attempt.reading?.noting(mirrored, object) ?? mirrored;
  let begun: Promise<unknown> | undefined;
  const inTurn: EffectStore["inTurn"] = (begin) => {
    const turn = begun === undefined ? begin() : begun.then(begin, begin);
    begun = turn;
    return turn;
  };
  const effects = (): EffectStore => ({ ...annotations(), signal: attempt.signal, random: environment.random, inTurn });
  const noted = notes?.noting(cache) ?? cache;
  const context: ReconcileContext<KubeObject, DeclaredAccess> = {
    key: attempt.key,
    reconcileId: attempt.id,
    signal: attempt.signal,
    deadline: (after) => attempt.deadline(durationMs(after), environment.clock),
    clock: environment.clock,
    random: environment.random,
    log: attempt.log,
    cache: noted,
    isServed: (of) => parts.mirrors.isServed(of),
    live,
    client,
    clientAs: (username) => settling(parts, writes.as(username).for(attempt)),
    isApplied: (resource, wanted) => isApplied(parts, scope, noted, { resource, wanted }),
    apply: (resource, wanted, options) => children.apply(scope, resource, wanted, options),
    create: (resource, wanted) => children.create(scope, resource, wanted),
    setStatus: (status) => setStatus(parts, scope, status),
    setStatusOf: (resource, of, status) => setStatusOf(parts, scope, { resource, of, status }),
    effect: (name, effect) =>
      ensureEffect(effects(), effectAnnotation(parts.controller, name), notes?.notingEffect(name, effect) ?? effect),
    undo: <R extends JsonValue>(name: string | EffectName<R>, remove: Undo<R>) => {
      // What is recorded under a name is what the effect of this name resulted in.
      const removeAny: Undo<JsonValue> = (token, result, signal) => remove(token, result as R | undefined, signal);
      return undoEffect(effects(), effectAnnotation(parts.controller, name), notes?.notingUndo(name, removeAny) ?? removeAny);
    },
    event: (type, reason, message, { about = object, ...more } = {}) =>
      environment.recorder.event(about, { type, reason, message, ...more }),
  };
  return { context, scope };
}

function cacheReads({ controller, mirrors, met, children }: ContextParts, scope: ChildScope): CacheReads<KubeObject> {
  const { live, owner, attempt } = scope;
  return {
    ...mirrors.reads,
    resourceOf: async (named) => {
      const resource = await live.resourceOf(named);
      if (resource === undefined) return undefined;
      if (met.isOpenTo(resource)) return (await met.meet(resource, attempt.signal)) ? resource : undefined;
      if (!mirrors.has(resource)) throw new UndeclaredError(controller, "watch", resource);
      return mirrors.isServed(resource) ? resource : undefined;
    },
    owned: (of) => {
      const lister = mirrors.lister(of);
      const found = children.keysOf(scope, lister).map((key) => lister.get(key));
      return found.filter((child) => child !== undefined).filter((child) => children.ownership.isOf(child, owner));
    },
  };
}

/** The same writes; what the server makes of what they apply is remembered. */
function settling({ mirrors, applied }: ContextParts, writes: Writes<DeclaredAccess>): Writes<DeclaredAccess> {
  return {
    ...writes,
    apply: async (resource, wanted, options = {}) => {
      const written = await writes.apply(resource, wanted, options);
      const isStored = options.dryRun !== true && options.subresource === undefined;
      if (isStored && mirrors.keepsRecord(resource)) applied.settle(withoutAbsent(wanted), written);
      return written;
    },
  };
}

function isApplied<C extends KubeObject>(
  { controller, mirrors, applied, children }: ContextParts,
  scope: ChildScope,
  cache: CacheReads<KubeObject>,
  { resource, wanted }: { readonly resource: Resource<C>; readonly wanted: ApplyConfiguration<C> },
): boolean {
  if (!mirrors.keepsRecord(resource)) throw new UndeclaredError(controller, "applied", resource);
  const known = cache.get(resource, placed(wanted.metadata, resource, scope.owner));
  if (known === undefined) return false;
  const stated = children.wanted(scope, resource, wanted, known);
  if (applied.isApplied(stated, known)) return true;
  const field = applied.differingField(stated, known);
  if (field !== undefined) tellDifference(scope.attempt, resource, known.metadata, field);
  return false;
}

function ownAnnotations(
  { controller: { resource }, mirrors, writes }: ContextParts,
  attempt: ReconcileAttempt,
  owner: KubeObject,
): OwnAnnotations {
  return {
    present: () => mirrors.lister(resource).get(owner.metadata),
    annotate: (annotation, basis) => writes.annotate(attempt, resource, owner, annotation, basis?.metadata.resourceVersion),
  };
}

function effectAnnotation({ resource, name }: Controller, effect: string): string {
  return ownName(resource, `${name}-effect-${effect}`);
}

function setStatus(parts: ContextParts, scope: ChildScope, status: object): Promise<void> {
  return setStatusOf(parts, scope, { resource: parts.controller.resource, of: scope.owner, status });
}

/** A status, and whose it is to be. */
interface StatedStatus {
  readonly resource: Resource;
  /** The object that was looked at. */
  readonly of: KubeObject;
  readonly status: object;
}

async function setStatusOf(
  { controller, environment, mirrors }: ContextParts,
  { attempt, writes, notes, statuses }: ChildScope,
  { resource, of, status }: StatedStatus,
): Promise<void> {
  const { uid = "" } = of.metadata;
  const current = mirrors.has(resource) ? mirrors.lister(resource).get(of.metadata) : of;
  // The object is gone, or has been replaced by another one of the same name: its status is not written.
  if (current === undefined || current.metadata.uid !== of.metadata.uid) return;
  const shape = statusShape(resource, current);
  const seen = (statuses.get(uid) ?? []).reduce(afterPatch, of);
  const patch = statusPatch(current, status as JsonObject, { shape, seen, clock: environment.clock });
  if (patch === undefined) return notes?.write("patch/status", resource, of.metadata)("Unchanged");
  try {
    const written = await writes.mergePatch(attempt, resource, of.metadata, patch, { subresource: "status" });
    statuses.set(uid, [...(statuses.get(uid) ?? []), { patch, written }]);
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
    // The server says the same of an object that is gone, and of a kind whose status is no subresource. Which it is, only those can ask who may read it.
    if (!verbCheck(controller)("get", resource)) return;
    const found = await confirmObject(environment, resource, of.metadata, attempt.signal);
    if (found?.metadata.uid !== uid) return;
    throw new Error(
      `the status of ${formatKind(resource)} cannot be written: its definition at the server has no status subresource; install the one of this operator`,
      { cause: error },
    );
  }
}
