import assert from "node:assert/strict";
import { test } from "node:test";
import { objectKey } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { defineResource, z } from "@kaji/core/define";
import { defineController, requeueAfter } from "@kaji/runtime";
import { testCluster } from "./test-cluster.ts";
import { WorkUnderWay } from "./work-under-way.ts";

/** A controller that reconciles this one. */
function workerAt(key?: string) {
  const load = { queued: 0, queuedBy: new Map(), delayed: 0, nextDueInMs: undefined, looking: 0, workedMs: [], failing: 0 };
  const underWay = key === undefined ? [] : [objectKey({ namespace: "default", name: key })];
  return { controller: { name: "bar" }, load: { ...load, inFlight: underWay.length }, underWay };
}

test("[HNG1] work that waits is waited for and told of, and not waited for where time is moved", async () => {
  const clock = new ManualClock();
  const told: string[] = [];
  const worker = workerAt("a");
  const work = new WorkUnderWay([worker], clock, (text) => void told.push(text));
  /** Looks again and again, as a test that waits does. */
  const waitFor = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) {
      assert.ok(work.isBusy());
      await clock.advance(50);
    }
  };
  await waitFor(59);
  await clock.advance(60_000); // The machine had no time for this process.
  assert.ok(work.isBusy());
  assert.deepEqual(told, []);
  await work.whileTimeMoves(async () => assert.ok(!work.isBusy()));
  await waitFor(3);
  assert.deepEqual(told.length, 1);
  assert.match(told[0] ?? "", /^settled\(\) waits for controller bar \(at default\/a\), where nothing has changed for 3 s\./);
  Object.assign(worker, workerAt("b"));
  await work.whileTimeMoves(async () => assert.ok(work.isBusy()));
  Object.assign(worker, workerAt());
  assert.ok(!work.isBusy());
});

test("[HNG1] a reconcile that waits for somebody who does not answer has its deadline when the test moves time", async () => {
  const Probe = defineResource({
    group: "shop.example.com",
    version: "v1",
    kind: "Probe",
    spec: z.object({ url: z.string() }),
    status: z.object({ answer: z.string().optional() }),
  });
  const controller = defineController(Probe, {
    async reconcile(_probe, { deadline, setStatus }) {
      const signal = deadline("10s");
      const answer = await new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve(String(signal.reason))));
      await setStatus({ answer });
      return requeueAfter("1m");
    },
  });
  await using cluster = await testCluster({ controllers: [controller] });
  await cluster.client.create(Probe, { metadata: { name: "a", namespace: "default" }, spec: { url: "https://example.com" } });
  await cluster.advance("10s");
  assert.match((await cluster.client.get(Probe, "default/a")).status?.answer ?? "", /not done within 10 s/);
  // Ends while it waits once more.
  await cluster.advance("65s");
});

test("[HNG1] a cluster ends though a reconcile waits for ever, and does not heed its signal", async () => {
  const Probe = defineResource({ group: "shop.example.com", version: "v1", kind: "Probe", spec: z.object({}) });
  const controller = defineController(Probe, { reconcile: () => new Promise<undefined>(() => {}) });
  await using cluster = await testCluster({ controllers: [controller] });
  await cluster.client.create(Probe, { metadata: { name: "a", namespace: "default" }, spec: {} });
  await cluster.advance("1s");
});
