import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

test("[SHARD10] whatever happens to machines and network, there are never two writers of an object, and at last each has one and all replicas their share", async () => {
  const worker = new Worker(new URL("../testing/sharding/storm.ts", import.meta.url), { workerData: { from: 0, to: 200 } });
  const [problems] = (await once(worker, "message")) as [readonly string[]];
  assert.deepEqual(problems, []);
});
