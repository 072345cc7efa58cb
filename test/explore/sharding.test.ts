import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { faults } from "./faulty-process.ts";
import type { FaultPlan } from "./faulty-process.ts";
import type { SharedRun } from "./sharing-world.ts";

/** So many of the plans are tried in each run of the tests, spread over all of them. */
const budget = 20;
/** Comes to all faults in turn, and to all requests. */
const stride = 27;
/** What was found once. */
const known: readonly FaultPlan[] = [
  // Buried before it had joined, the replica never made its lease again, and never ended either.
  { fault: "Freeze 30 s", request: 4 },
];
/** As many requests as the first replica makes until all three have their share and it has renewed its lease. */
const lastRequest = 64;

test("at no single fault of a replica do two write one object, and in the end all objects are looked after and all replicas have their share", async (t) => {
  const all = Array.from({ length: lastRequest }, (_, index) => faults.map((fault): FaultPlan => ({ fault, request: index + 1 }))).flat();
  const spread = Array.from({ length: budget }, (_, index) => all[(index * stride) % all.length]);
  const plans = [...known, ...spread];
  const worker = new Worker(new URL("./sharing-thread.ts", import.meta.url), { workerData: [undefined, ...plans] });
  const [runs] = (await once(worker, "message")) as [readonly SharedRun[]];
  assert.ok((runs[0]?.requests ?? 0) > lastRequest, `${runs[0]?.requests} requests`);
  for (const [index, { trespasses, deserted, held }] of runs.entries()) {
    const { fault, request } = plans[index - 1] ?? { fault: "No fault", request: 0 };
    const when = `${fault} at request ${request}`;
    assert.deepEqual(trespasses, [], when);
    assert.deepEqual(deserted, [], when);
    assert.deepEqual(
      held.toSorted((left, right) => left - right),
      [1, 1, 2],
      when,
    );
  }
  t.diagnostic(`${plans.length} of ${all.length} plans`);
});
