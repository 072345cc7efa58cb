import { structuralEqual } from "@kaji/core";
import type { ObjectMeta } from "@kaji/core";
import type { ReplicaSet } from "@kaji/types/apps/v1";
import type { PodTemplateSpec } from "@kaji/types/core/v1";
import { hashLabel } from "./pod-template-hash.ts";

/** The ReplicaSets of a Deployment: that of the present template, if there is one, and those of templates before. */
export interface Revisions {
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** Tells the ReplicaSet of a template from the others; should several have it, the oldest counts. */
export function revisionsOf(replicaSets: readonly ReplicaSet[], template: PodTemplateSpec): Revisions {
  const sorted = replicaSets.toSorted(byAge);
  const wanted = withoutHash(template);
  const current = sorted.find(({ spec }) => structuralEqual(withoutHash(spec?.template ?? {}), wanted));
  return { current, old: sorted.filter((each) => each !== current) };
}

/** All ReplicaSets, that of the present template last. */
export function allOf({ current, old }: Revisions): readonly ReplicaSet[] {
  return current === undefined ? old : [...old, current];
}

/** Those that want any pods. */
export function activeOf(replicaSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return replicaSets.filter((each) => wantedBy(each) > 0);
}

/** How many pods a ReplicaSet wants. */
export function wantedBy({ spec }: ReplicaSet): number {
  return spec?.replicas ?? 1;
}

/** How many pods of a ReplicaSet are available and will stay: what it has beyond what it wants is on its way out. */
export function availableOf(replicaSet: ReplicaSet): number {
  return Math.min(replicaSet.status?.availableReplicas ?? 0, wantedBy(replicaSet));
}

/** How many pods ReplicaSets want together, or have of whatever is counted. */
export function sumOf(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number = wantedBy): number {
  return replicaSets.reduce((sum, each) => sum + count(each), 0);
}

/** The older first. */
export function byAge(left: { readonly metadata: ObjectMeta }, right: { readonly metadata: ObjectMeta }): number {
  const [leftKey, rightKey] = [ageKey(left.metadata), ageKey(right.metadata)];
  return leftKey < rightKey ? -1 : leftKey > rightKey ? 1 : 0;
}

function ageKey({ creationTimestamp = "", name }: ObjectMeta): string {
  return `${creationTimestamp}/${name}`;
}

/** The template as the Deployment has it. */
function withoutHash({ metadata = {}, spec }: PodTemplateSpec): unknown {
  const { labels = {}, ...rest } = metadata;
  const { [hashLabel]: _hash, ...others } = labels;
  return { metadata: { ...rest, labels: others }, spec };
}
