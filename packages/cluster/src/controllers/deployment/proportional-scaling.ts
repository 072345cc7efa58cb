import type { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { desiredReplicas, maxReplicas } from "./revision-annotations.ts";
import { activeOf, allOf, byAge, sumOf, wantedBy } from "./revisions.ts";
import type { Revisions } from "./revisions.ts";
import type { RolloutSpec } from "./rollout-spec.ts";
import type { Sizing } from "./sizes.ts";

/** Whether a Deployment has been scaled since its ReplicaSets were last sized. */
export function isScaling(spec: RolloutSpec, revisions: Revisions): boolean {
  return activeOf(allOf(revisions)).some((each) => (desiredReplicas(each) ?? spec.replicas) !== spec.replicas);
}

/**
 * The sizes that follow from another number of replicas. A single ReplicaSet takes all; during a roll-out each takes its share, so that
 * a faulty new template does not get more than its share.
 */
export function scaledSizes(spec: RolloutSpec, revisions: Revisions, status: Deployment["status"]): readonly Sizing[] {
  const only = activeOrLatest(revisions);
  if (only !== undefined) return wantedBy(only) === spec.replicas ? [] : [{ replicaSet: only, replicas: spec.replicas }];
  const { current, old } = revisions;
  if (current !== undefined && isSaturated(spec, current)) return activeOf(old).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  return spec.strategy === "RollingUpdate" ? shares(spec, activeOf(allOf(revisions)), status?.replicas ?? 0) : [];
}

/** The only one that wants pods, or the newest if none does; undefined if several do. */
function activeOrLatest(revisions: Revisions): ReplicaSet | undefined {
  const active = activeOf(allOf(revisions));
  if (active.length === 0) return revisions.current ?? revisions.old.at(-1);
  return active.length === 1 ? active[0] : undefined;
}

function isSaturated(spec: RolloutSpec, current: ReplicaSet): boolean {
  const counts = [wantedBy(current), desiredReplicas(current), current.status?.availableReplicas ?? 0];
  return counts.every((count) => count === spec.replicas);
}

function shares(spec: RolloutSpec, active: readonly ReplicaSet[], reported: number): readonly Sizing[] {
  const allowed = spec.replicas > 0 ? spec.replicas + spec.maxSurge : 0;
  const missing = allowed - sumOf(active);
  const order = missing > 0 ? -1 : 1;
  const sorted = active.toSorted((left, right) => wantedBy(right) - wantedBy(left) || order * byAge(left, right));
  let added = 0;
  const sizes = sorted.map((replicaSet) => {
    const share = shareOf(replicaSet, spec, { missing, added, reported });
    added += share;
    return wantedBy(replicaSet) + share;
  });
  // What rounding left over goes to the largest.
  return sorted.map((replicaSet, index) => {
    const size = sizes[index] ?? 0;
    return { replicaSet, replicas: index === 0 && missing !== 0 ? Math.max(0, size + missing - added) : size };
  });
}

function shareOf(
  replicaSet: ReplicaSet,
  { replicas, maxSurge }: RolloutSpec,
  { missing, added, reported }: { readonly missing: number; readonly added: number; readonly reported: number },
): number {
  if (missing === 0 || missing === added) return 0;
  const present = wantedBy(replicaSet);
  const before = maxReplicas(replicaSet) || reported;
  const fraction = replicas === 0 ? -present : before === 0 ? 0 : Math.round((present * (replicas + maxSurge)) / before) - present;
  return missing > 0 ? Math.min(fraction, missing - added) : Math.max(fraction, missing - added);
}
