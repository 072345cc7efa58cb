import type { Selector } from "@kaji/core";

/** Nothing that is longer ago can matter: no window or period may be longer. */
const longestMs = 3_600_000;

/** A number of replicas that something said or did, at a time. */
interface Moment {
  readonly atMs: number;
  readonly replicas: number;
}

/** What an autoscaler has thought and done of late. It is kept in memory alone: a controller that starts anew begins with what there is. */
export class ScalingHistory {
  /** Where its pods are found, once that is known. */
  selector: Selector | undefined;
  /** When it was last looked at. */
  lookedAtMs: number;
  #recommendations: readonly Moment[] = [];
  #added: readonly Moment[] = [];
  #removed: readonly Moment[] = [];

  constructor(nowMs: number) {
    this.lookedAtMs = nowMs;
  }

  /** Before anything is recommended, what there is counts as recommended. */
  begin(replicas: number, nowMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations = [{ atMs: nowMs, replicas }];
  }

  recommend(replicas: number, nowMs: number): void {
    this.#recommendations = [...recent(this.#recommendations, nowMs), { atMs: nowMs, replicas }];
  }

  /** What was recommended after a time. */
  recommendedAfter(afterMs: number): readonly number[] {
    return replicasAfter(this.#recommendations, afterMs);
  }

  /** Takes note of a change that was made. */
  rescale(from: number, to: number, nowMs: number): void {
    if (to > from) this.#added = [...recent(this.#added, nowMs), { atMs: nowMs, replicas: to - from }];
    else this.#removed = [...recent(this.#removed, nowMs), { atMs: nowMs, replicas: from - to }];
  }

  /** By how many replicas there are more than at a time, by what was done since. */
  changeSince(sinceMs: number): number {
    const total = (moments: readonly Moment[]): number => replicasAfter(moments, sinceMs).reduce((sum, each) => sum + each, 0);
    return total(this.#added) - total(this.#removed);
  }
}

function recent(moments: readonly Moment[], nowMs: number): readonly Moment[] {
  return moments.filter(({ atMs }) => atMs >= nowMs - longestMs);
}

function replicasAfter(moments: readonly Moment[], afterMs: number): readonly number[] {
  return moments.filter(({ atMs }) => atMs > afterMs).map(({ replicas }) => replicas);
}
