import { scaledValue } from "@kaji/core";
import type { Deployment } from "@kaji/types/apps/v1";
import type { PodTemplateSpec } from "@kaji/types/core/v1";

/** What a Deployment wants of its roll-out, with all that the server leaves to defaults. */
export interface RolloutSpec {
  readonly replicas: number;
  readonly template: PodTemplateSpec;
  readonly strategy: "Recreate" | "RollingUpdate";
  /** How many pods there may be beyond the replicas. */
  readonly maxSurge: number;
  /** How many of the replicas may be missing. */
  readonly maxUnavailable: number;
  readonly minReadySeconds: number;
  readonly isPaused: boolean;
  /** How many old ReplicaSets are kept; undefined keeps all. */
  readonly historyLimit: number | undefined;
  /** How long there may be no progress; undefined waits for ever, and says nothing about progress. */
  readonly deadlineSeconds: number | undefined;
}

/** Reads what a Deployment wants. */
export function rolloutSpec({ spec }: Deployment): RolloutSpec {
  const { replicas = 1, template = {}, strategy = {}, minReadySeconds = 0, paused = false } = spec ?? {};
  const { revisionHistoryLimit, progressDeadlineSeconds } = spec ?? {};
  return {
    replicas,
    template,
    ...limits(strategy, replicas),
    minReadySeconds,
    isPaused: paused,
    historyLimit: unlessMaximal(revisionHistoryLimit),
    deadlineSeconds: unlessMaximal(progressDeadlineSeconds),
  };
}

function limits(
  { type = "RollingUpdate", rollingUpdate = {} }: NonNullable<NonNullable<Deployment["spec"]>["strategy"]>,
  replicas: number,
): Pick<RolloutSpec, "strategy" | "maxSurge" | "maxUnavailable"> {
  if (type === "Recreate") return { strategy: type, maxSurge: 0, maxUnavailable: 0 };
  const maxSurge = scaledValue(rollingUpdate.maxSurge ?? 0, replicas, "up");
  const unavailable = scaledValue(rollingUpdate.maxUnavailable ?? 0, replicas, "down");
  // Both may come to nothing when percentages are rounded; then nothing could ever move.
  const maxUnavailable = maxSurge === 0 && unavailable === 0 ? 1 : unavailable;
  return { strategy: type, maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

/** The largest 32-bit integer stands for no limit. */
function unlessMaximal(limit: number | undefined): number | undefined {
  return limit === 2 ** 31 - 1 ? undefined : limit;
}
