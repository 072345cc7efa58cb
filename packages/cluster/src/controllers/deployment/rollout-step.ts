import { structuralEqual } from "@kaji/core";
import type { Draft } from "@kaji/core";
import type { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { countedStatus, isComplete } from "./deployment-status.ts";
import { newReplicaSet } from "./new-replica-set.ts";
import { isScaling, scaledSizes } from "./proportional-scaling.ts";
import { nextRevision, revisionOf, withRevision, withSizes } from "./revision-annotations.ts";
import { activeOf, byAge, sumOf, wantedBy } from "./revisions.ts";
import type { Revisions } from "./revisions.ts";
import { newReplicas, rollingSizes } from "./rolling-update.ts";
import type { RolloutSpec } from "./rollout-spec.ts";
import type { Sizing } from "./sizes.ts";

/** One write to a ReplicaSet of a Deployment. */
export type RolloutStep =
  | { readonly type: "Create"; readonly draft: Draft<ReplicaSet> }
  /** Brings annotations and fields other than the size up to date. */
  | { readonly type: "Refresh"; readonly next: ReplicaSet }
  | { readonly type: "Scale"; readonly replicaSet: ReplicaSet; readonly next: ReplicaSet }
  | { readonly type: "Delete"; readonly replicaSet: ReplicaSet };

/** What a Deployment looks like at one moment. */
export interface Rollout {
  readonly deployment: Deployment;
  readonly spec: RolloutSpec;
  readonly revisions: Revisions;
  /** Whether pods of old revisions have not ended yet. */
  readonly isOldRunning: () => boolean;
  readonly nowMs: number;
}

/** What is to be done next, all of it independent of each other; nothing, when all that remains is to wait. */
export function nextSteps(rollout: Rollout): readonly RolloutStep[] {
  const { spec, revisions } = rollout;
  const refresh = refreshed(rollout);
  if (refresh.length > 0) return refresh;
  if (isMerelyScaled(rollout)) {
    const scaling = scaled(spec, scaledSizes(spec, revisions, rollout.deployment.status));
    return scaling.length === 0 && spec.isPaused ? cleanUp(spec, revisions.old) : scaling;
  }
  const moves = spec.strategy === "Recreate" ? recreate(rollout) : roll(rollout);
  if (moves.length > 0) return moves;
  const status = countedStatus(rollout.deployment, spec, revisions, rollout.nowMs);
  return isComplete(rollout.deployment, spec, status) ? cleanUp(spec, revisions.old) : [];
}

/** Whether nothing is rolled out at present: it is paused, or its ReplicaSets are still to be sized for another number of replicas. */
export function isMerelyScaled({ spec, revisions }: Rollout): boolean {
  return spec.isPaused || isScaling(spec, revisions);
}

function refreshed({ deployment, spec, revisions: { current, old } }: Rollout): readonly RolloutStep[] {
  if (current === undefined) return [];
  const { minReadySeconds = 0, ...rest } = current.spec ?? { selector: {} };
  const { annotations: before = {} } = current.metadata;
  const annotations = withRevision(before, deployment.metadata, nextRevision(old));
  if (minReadySeconds === spec.minReadySeconds && structuralEqual(annotations, before)) return [];
  const next: ReplicaSet = {
    ...current,
    metadata: { ...current.metadata, annotations },
    spec: { ...rest, ...(spec.minReadySeconds === 0 ? {} : { minReadySeconds: spec.minReadySeconds }) },
  };
  return [{ type: "Refresh", next }];
}

function roll({ deployment, spec, revisions }: Rollout): readonly RolloutStep[] {
  if (revisions.current === undefined) return [{ type: "Create", draft: newReplicaSet(deployment, spec, revisions.old) }];
  return scaled(spec, rollingSizes(spec, revisions));
}

/** Old pods end before the first new one begins. */
function recreate({ deployment, spec, revisions: { current, old }, isOldRunning }: Rollout): readonly RolloutStep[] {
  const emptied = activeOf(old).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  if (emptied.length > 0) return scaled(spec, emptied);
  if (sumOf(old, ({ status }) => status?.replicas ?? 0) > 0 || isOldRunning()) return [];
  if (current === undefined) return [{ type: "Create", draft: newReplicaSet(deployment, spec, old) }];
  const replicas = newReplicas(spec, 0, wantedBy(current));
  return replicas === wantedBy(current) ? [] : scaled(spec, [{ replicaSet: current, replicas }]);
}

function scaled(spec: RolloutSpec, sizes: readonly Sizing[]): readonly RolloutStep[] {
  return sizes.flatMap(({ replicaSet, replicas }): readonly RolloutStep[] => {
    const next: ReplicaSet = {
      ...replicaSet,
      metadata: { ...replicaSet.metadata, annotations: withSizes(replicaSet.metadata.annotations ?? {}, spec) },
      spec: { ...(replicaSet.spec ?? { selector: {} }), replicas },
    };
    return structuralEqual(next, replicaSet) ? [] : [{ type: "Scale", replicaSet, next }];
  });
}

/** Deletes the oldest ReplicaSets beyond the history limit, unless they still have pods. */
function cleanUp({ historyLimit }: RolloutSpec, old: readonly ReplicaSet[]): readonly RolloutStep[] {
  if (historyLimit === undefined) return [];
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const sorted = alive.toSorted((left, right) => Number(revisionOf(left) - revisionOf(right)) || byAge(left, right));
  return sorted
    .slice(0, Math.max(0, alive.length - historyLimit))
    .filter(isDone)
    .map((replicaSet) => ({ type: "Delete", replicaSet }));
}

function isDone(replicaSet: ReplicaSet): boolean {
  const { metadata, status } = replicaSet;
  return wantedBy(replicaSet) === 0 && (status?.replicas ?? 0) === 0 && (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
}
