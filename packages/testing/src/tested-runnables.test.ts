import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, runController, use } from "@kaji/runtime";
import type { OperatorRunnable } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { testCluster } from "./test-cluster.ts";
import type { TestCluster, TestClusterOptions } from "./test-cluster.ts";

const Lamp = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Lamp", spec: z.object({}) });
const namespace = "default";

function start(runnables: readonly OperatorRunnable[], more: TestClusterOptions = {}): Promise<TestCluster> {
  const controller = defineController(Lamp, { uses: [use(ConfigMap, "create", "get")], reconcile() {} });
  return testCluster({ builtins: [], nodes: 0, scheduler: false, controllers: [controller], runnables, ...more });
}

const names = async ({ client }: TestCluster): Promise<readonly string[]> =>
  (await client.list(ConfigMap, { namespace })).items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith("hour"));

test("[RNB1] runnables work beside the controllers, in the time of the test and with the role of the operator, until the cluster ends", async () => {
  const told: string[] = [];
  const hourly: OperatorRunnable = {
    name: "hourly",
    needsLeader: true,
    async run(signal, { client, clock, controllers }) {
      told.push([...controllers.keys()].join());
      for (let hour = 1; !signal.aborted; hour++) {
        await clock.sleep(3_600_000, signal).catch(() => undefined);
        if (!signal.aborted) await client.create(ConfigMap, { metadata: { namespace, name: `hour-${hour}` } });
      }
      told.push("ended");
    },
  };
  {
    await using cluster = await start([hourly]);
    assert.deepEqual(await names(cluster), []);
    await cluster.advance("2h");
    assert.deepEqual(await names(cluster), ["hour-1", "hour-2"]);
    assert.deepEqual(cluster.unusedGrants(), [{ controller: "lamp", field: "uses", resource: "configmaps", verbs: ["get"] }]);
  }
  assert.deepEqual(told, ["lamp", "ended"]);
});

test("[RNB1] what it may not do is told like what a controller may not do, and a fork has runnables of its own", async () => {
  const greedy: OperatorRunnable = {
    name: "greedy",
    run: async (_signal, { client }) => void (await client.list(ConfigMap, { namespace }).catch(() => undefined)),
  };
  await using cluster = await start([greedy]);
  await assert.rejects(cluster.settled(), /the operator may not list configmaps/);
  await using fork = await cluster.fork();
  await assert.rejects(fork.settled(), /the operator may not list configmaps/);
});

test("[RNB2] one that is done is no failure; what one throws fails the test, with its name", async () => {
  const done: OperatorRunnable = { name: "done", run: async () => {} };
  const broken: OperatorRunnable = {
    name: "broken",
    async run(_signal, { clock }) {
      await clock.sleep(1000);
      throw new Error("no idea");
    },
  };
  await using cluster = await start([done, broken]);
  await assert.rejects(cluster.advance("1s"), (error: Error) => {
    assert.match(error.message, /^the runnable broken failed$/);
    assert.match(String(error.cause), /no idea/);
    return true;
  });
});

test("[RNB1] it may run a further controller", async () => {
  const seen: string[] = [];
  const watching = defineController(Lamp, { name: "further", reconcile: ({ metadata }) => void seen.push(metadata.name) });
  await using cluster = await start([{ name: "more", run: (signal, services) => runController(watching, services).run(signal) }]);
  await cluster.client.create(Lamp, { metadata: { namespace, name: "desk" }, spec: {} });
  await cluster.settled();
  assert.deepEqual(seen, ["desk"]);
});

test("[RNB1] what comes after those that begin first can rely on all of them, though one is done already", async () => {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const done: OperatorRunnable = { name: "done", run: async () => {} };
  const slow: OperatorRunnable = {
    name: "slow",
    ready,
    async run() {
      for (let turn = 0; turn < 100; turn++) await Promise.resolve();
      order.push("slow is ready");
      resolve();
    },
  };
  const leading: OperatorRunnable = { name: "leading", needsLeader: true, run: async () => void order.push("leading") };
  await using _cluster = await start([done, slow, leading]);
  assert.deepEqual(order, ["slow is ready", "leading"]);
});
