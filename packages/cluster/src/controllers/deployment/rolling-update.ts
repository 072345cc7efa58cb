import type { ReplicaSet } from "@kaji/types/apps/v1";
import { activeOf, allOf, availableOf, sumOf, wantedBy } from "./revisions.ts";
import type { Revisions } from "./revisions.ts";
import type { RolloutSpec } from "./rollout-spec.ts";
import type { Sizing } from "./sizes.ts";

/** The next sizes of a rolling update: first the new ReplicaSet grows as far as the surge allows, then the old ones shrink as far as availability allows. */
export function rollingSizes(spec: RolloutSpec, revisions: Revisions): readonly Sizing[] {
  const { current } = revisions;
  if (current === undefined) return [];
  const replicas = newReplicas(spec, sumOf(allOf(revisions)), wantedBy(current));
  if (replicas !== wantedBy(current)) return [{ replicaSet: current, replicas }];
  return shrunk(spec, current, activeOf(revisions.old));
}

/** How many pods the ReplicaSet of the present template is to have, where there are so many of all revisions. */
export function newReplicas(spec: RolloutSpec, total: number, present: number): number {
  if (spec.strategy === "Recreate" || present > spec.replicas) return spec.replicas;
  const room = Math.max(0, spec.replicas + spec.maxSurge - total);
  return present + Math.min(room, spec.replicas - present);
}

/** Pods of old ReplicaSets that are not available go first: giving them up costs nothing. */
function shrunk(spec: RolloutSpec, current: ReplicaSet, old: readonly ReplicaSet[]): readonly Sizing[] {
  const minAvailable = spec.replicas - spec.maxUnavailable;
  const startingUp = wantedBy(current) - availableOf(current);
  const spare = sumOf(old) + wantedBy(current) - minAvailable - startingUp;
  if (spare <= 0) return [];
  const sizes = new Map(old.map((each) => [each, wantedBy(each)]));
  reduce(sizes, spare, (each, size) => size - availableOf(each));
  const available = availableOf(current) + sumOf(old, availableOf);
  reduce(sizes, available - minAvailable, (_each, size) => size);
  return Array.from(sizes, ([replicaSet, replicas]) => ({ replicaSet, replicas })).filter(
    ({ replicaSet, replicas }) => replicas !== wantedBy(replicaSet),
  );
}

/** Takes so many away altogether, the oldest first, and from each at most what it can spare. */
function reduce(sizes: Map<ReplicaSet, number>, count: number, spareOf: (replicaSet: ReplicaSet, size: number) => number): void {
  let left = count;
  for (const [replicaSet, size] of sizes) {
    if (left <= 0) return;
    const taken = Math.max(0, Math.min(left, spareOf(replicaSet, size)));
    sizes.set(replicaSet, size - taken);
    left -= taken;
  }
}
