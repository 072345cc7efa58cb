import type { KubeObject } from "@kaji/core";
import type { ManualClock } from "@kaji/core/testing";
import type { Cluster } from "../../cluster.ts";
import type { Play } from "./restart-plays.ts";

/** Where a play is performed. */
export interface Stage {
  readonly cluster: Cluster;
  readonly clock: ManualClock;
  /** Resolves when nothing is left to happen before the next timer. */
  readonly settled: () => Promise<void>;
}

/** Performs a play, and gives what is there in the end. */
export async function performPlay({ kinds, act }: Play, { cluster, clock, settled }: Stage): Promise<unknown> {
  await act(cluster, async (ms) => {
    await settled();
    for (let passed = 0; passed < ms; passed += 10_000) {
      await clock.advance(Math.min(10_000, ms - passed));
      await settled();
    }
  });
  const lists = await Promise.all(kinds.map((kind) => cluster.client.list(kind)));
  return lists.flatMap(({ items }) => items.map(masked).toSorted()).map((text) => JSON.parse(text));
}

/** An object without what differs from one run to the next: chance, and moments. */
function masked(object: KubeObject): string {
  return JSON.stringify(object, (key, value: unknown) => (ignored.has(key) ? undefined : value))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/-[a-z0-9]{5}"/g, '-*"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"')
    .replaceAll(/10\.\d+\.\d+\.\d+/g, "IP");
}

const ignored = new Set(["resourceVersion", "managedFields", "generation", "observedGeneration", "containerStatuses", "creationTimestamp"]);
