import type { ObjectMeta } from "@kaji/core";
import type { ReplicaSet } from "@kaji/types/apps/v1";
import type { RolloutSpec } from "./rollout-spec.ts";

type Annotations = Readonly<Record<string, string>>;

/** Which revision of its Deployment a ReplicaSet is, and which it was before it was rolled back to. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
const historyAnnotation = "deployment.kubernetes.io/revision-history";
/** For how many replicas of its Deployment a ReplicaSet was last sized, and how many pods there could be at most: what scaling in proportion goes by. */
const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
const maxAnnotation = "deployment.kubernetes.io/max-replicas";

/** The history gets no longer than this. */
const historyChars = 2000;

/** Annotations about the Deployment alone, which its ReplicaSets do not get. */
const own: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
]);

/** The revision of a ReplicaSet, a 64-bit integer; 0 if it says none. */
export function revisionOf({ metadata }: ReplicaSet): bigint {
  return parseRevision(metadata.annotations?.[revisionAnnotation]) ?? 0n;
}

/** The revision that a new template gets after those that there are. */
export function nextRevision(old: readonly ReplicaSet[]): bigint {
  return old.map(revisionOf).reduce((highest, revision) => (revision > highest ? revision : highest), 0n) + 1n;
}

/** The annotations of the ReplicaSet of the present template: those of the Deployment, and its revision with the ones it was before. */
export function withRevision(present: Annotations, deployment: ObjectMeta, revision: bigint): Annotations {
  const copied = Object.entries(deployment.annotations ?? {}).filter(([key]) => !own.has(key));
  const merged = { ...present, ...Object.fromEntries(copied) };
  const before = present[revisionAnnotation];
  const old = before === undefined || before === "" ? 0n : parseRevision(before);
  if (old === undefined || old >= revision) return merged;
  const history = before === undefined ? {} : extendedHistory(present[historyAnnotation] ?? "", before);
  return { ...merged, [revisionAnnotation]: String(revision), ...history };
}

/** The annotations of a ReplicaSet that is sized for what the Deployment wants now. */
export function withSizes(present: Annotations, { replicas, maxSurge }: RolloutSpec): Annotations {
  return { ...present, [desiredAnnotation]: String(replicas), [maxAnnotation]: String(replicas + maxSurge) };
}

/** For how many replicas a ReplicaSet was last sized. */
export function desiredReplicas({ metadata }: ReplicaSet): number | undefined {
  return parseWhole(metadata.annotations?.[desiredAnnotation]);
}

/** How many pods there could be at most when a ReplicaSet was last sized. */
export function maxReplicas({ metadata }: ReplicaSet): number | undefined {
  return parseWhole(metadata.annotations?.[maxAnnotation]);
}

function extendedHistory(history: string, revision: string): Annotations {
  let revisions = history === "" ? [] : history.split(",");
  while (revisions.length > 0 && [...revisions, revision].join(",").length > historyChars) revisions = revisions.slice(1);
  return { [historyAnnotation]: [...revisions, revision].join(",") };
}

function parseRevision(text: string | undefined): bigint | undefined {
  return text === undefined || !/^\d{1,19}$/.test(text) ? undefined : BigInt(text);
}

function parseWhole(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value < 2 ** 31 ? value : undefined;
}
