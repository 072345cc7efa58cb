import type { Cluster } from "@kaji/cluster";
import type { ManualClock } from "@kaji/core/testing";
import { Namespace } from "@kaji/types/core/v1";

/** A cluster that comes to rest, in a time of its own. */
export interface RestingCluster extends Pick<Cluster, "client" | "settled"> {
  readonly clock: ManualClock;
}

/** Clusters that come to rest together, and in which the same time goes by. */
export class ClustersTogether {
  readonly #clusters: readonly RestingCluster[];

  constructor(clusters: readonly RestingCluster[]) {
    this.#clusters = clusters;
  }

  /** Resolves when nothing is left to happen in any of them: what happens in one may lead to something in another. */
  async settled(): Promise<void> {
    for (let before = ""; ;) {
      for (const { settled } of this.#clusters) await settled();
      if (this.#clusters.length === 1) return;
      const now = (await Promise.all(this.#clusters.map(revisionOf))).join();
      if (now === before) return;
      before = now;
    }
  }

  /** Lets time go by, moment by moment. */
  async advance(byMs: number): Promise<void> {
    const [only, ...others] = this.#clusters;
    if (others.length === 0) return only?.clock.advance(byMs);
    for (let leftMs = byMs; leftMs > 0;) {
      const dueMs = Math.min(...this.#clusters.map(({ clock }) => (clock.nextDueMs ?? Infinity) - clock.now()));
      const stepMs = Math.min(leftMs, Math.max(finestMs, dueMs));
      for (const { clock } of this.#clusters) await clock.advance(stepMs);
      await this.settled();
      leftMs -= stepMs;
    }
  }

  /** A cluster that is to be copied, unless there are others: they would be the same for both. */
  alone<C>(cluster: C): C {
    if (this.#clusters.length > 1) throw new Error("a cluster with others beside it cannot be forked: those would be the same for both");
    return cluster;
  }
}

/** What is due within so long happens in one step: two moments can be closer than numbers of this size can tell. */
const finestMs = 1;

/** Which grows with every write. */
async function revisionOf({ client }: RestingCluster): Promise<string> {
  const { metadata } = await client.list(Namespace, { limit: 1 });
  return metadata.resourceVersion ?? "";
}
