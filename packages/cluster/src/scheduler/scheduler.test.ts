import assert from "node:assert/strict";
import { test } from "node:test";
import { Selector, objectKey, refusal } from "@kaji/core";
import type { Labels, ObjectKey } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import type { Pod } from "@kaji/types/core/v1";
import { silentLog } from "../loops/silent-log.ts";
import { Scheduler } from "./scheduler.ts";
import type { SchedulerParts } from "./scheduler.ts";
import { ClusterBuilder, pod } from "./testing/cluster-builder.ts";
import { VolumePreparation } from "./volume-preparation.ts";

/** A scheduler whose writes go nowhere, or fail as often as is said; bindings are answered after a while. */
function newScheduler(
  failures: number,
  { siblings = () => Selector.everything, answerMs = 0 }: { siblings?: (labels: Labels) => Selector; answerMs?: number } = {},
): {
  readonly scheduler: Scheduler;
  readonly clock: ManualClock;
  readonly bound: string[];
} {
  const clock = new ManualClock();
  const bound: string[] = [];
  let left = failures;
  const bind = async ({ metadata }: Pod, node: string): Promise<void> => {
    const isRefused = left-- > 0;
    if (answerMs > 0) await clock.sleep(answerMs);
    if (isRefused) throw refusal("InternalError", "no luck");
    bound.push(`${objectKey(metadata)} ${node}`);
  };
  const nothing = (): Promise<void> => Promise.resolve();
  const writes = { bind, explain: () => Promise.resolve(false), clearNomination: nothing, removeVictim: nothing, selectNode: nothing };
  const cluster = new ClusterBuilder();
  const pods = new Map([web, next, odd].map((info) => [info.key, info.pod]));
  const reads: SchedulerParts["reads"] = Object.assign(cluster, {
    pod: (key: ObjectKey) => pods.get(key),
    siblings: (info: { readonly labels: Labels }) => siblings(info.labels),
  });
  const parts = { name: "default-scheduler", reads, writes, clock, log: silentLog, random: seededRandom(1), recorder: { event: () => {} } };
  return { scheduler: new Scheduler({ ...parts, volumes: new VolumePreparation(reads, writes, clock) }), clock, bound };
}

const web = pod("web");
const next = pod("next");
const odd = pod("odd", { labels: { is: "odd" }, priority: 10 });
const node = { apiVersion: "v1", kind: "Node", status: { allocatable: { cpu: "1", memory: "1Gi", pods: "10" } } } as const;

test("a pod whose binding failed counts nowhere, and is tried again after a while", async () => {
  const { scheduler, clock, bound } = newScheduler(2);
  const end = new AbortController();
  const running = scheduler.run(end.signal);
  scheduler.observeNode({ ...node, metadata: { name: "one" } });
  scheduler.observePod(web.pod);
  await clock.advance(999);
  assert.deepEqual(bound, []);
  await clock.advance(1);
  assert.deepEqual(bound, []);
  await clock.advance(2000);
  assert.deepEqual(bound, ["default/web one"]);
  assert.ok(scheduler.isIdle);
  end.abort();
  await running;
});

test("a pod that cannot be understood does not keep others from being scheduled", async () => {
  const { scheduler, clock, bound } = newScheduler(0, {
    siblings: (labels) => {
      if (labels["is"] === "odd") throw new TypeError("what is this?");
      return Selector.everything;
    },
  });
  const end = new AbortController();
  const running = scheduler.run(end.signal);
  for (const name of ["one", "two"]) scheduler.observeNode({ ...node, metadata: { name } });
  scheduler.observePod(odd.pod);
  scheduler.observePod(web.pod);
  await clock.advance(0);
  assert.equal(bound.length, 1);
  end.abort();
  await running;
  assert.equal(clock.pending, 0);
});

test("[SCHED3] the room of a pod whose binding failed is for others, though that pod is gone before it is tried again", async () => {
  const bound = await boundAfter(async ({ scheduler, clock }) => {
    await clock.advance(100);
    scheduler.removePod(web.key, web.uid);
  });
  assert.deepEqual(bound, ["default/next one"]);
});

test("[SCHED3] the room that was kept for a pod is for others when that pod turns out to be on another node", async () => {
  // As when the answer to an earlier binding was lost.
  const bound = await boundAfter(async ({ scheduler }) => scheduler.observePod({ ...web.pod, spec: { containers: [], nodeName: "two" } }));
  assert.deepEqual(bound, ["default/next one"]);
});

/** Has a pod wait for the room of another, whose binding is under way and will fail; what is bound after something has happened then. */
async function boundAfter(
  happen: (stage: Pick<ReturnType<typeof newScheduler>, "clock" | "scheduler">) => Promise<void>,
): Promise<readonly string[]> {
  const { scheduler, clock, bound } = newScheduler(1, { answerMs: 100 });
  const end = new AbortController();
  const running = scheduler.run(end.signal);
  scheduler.observeNode({ ...node, metadata: { name: "one" }, status: { allocatable: { ...node.status.allocatable, pods: "1" } } });
  scheduler.observePod(web.pod);
  scheduler.observePod(next.pod);
  await clock.advance(50);
  await happen({ scheduler, clock });
  await clock.advance(200);
  end.abort();
  await running;
  return bound;
}
