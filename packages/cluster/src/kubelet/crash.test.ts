import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import type { Transport } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { Node, Pod } from "@kaji/types/core/v1";
import { PriorityClass } from "@kaji/types/scheduling/v1";
import { startScheduler } from "../scheduler/start-scheduler.ts";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../scheduler/testing/scheduler-rig.ts";
import { SimulatedRuntime } from "./simulated-runtime.ts";
import { startKubelet } from "./start-kubelet.ts";

/** Lets so many writes through; then the process is as good as dead, and no more of its requests arrive. */
function mortal(transport: Transport, writes: number): { readonly transport: Transport; readonly isDead: () => boolean } {
  let left = writes;
  return {
    isDead: () => left < 0,
    transport: (request) => {
      if (request.method !== "GET") left--;
      return left < 0 ? Promise.reject(new Error("the process is dead")) : transport(request);
    },
  };
}

/** Scheduler and kubelet in a process of their own. */
async function startProcess(rig: SchedulerRig, transport: Transport): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const { clock, random, recorder, log } = rig;
  const client = new KubeClient(transport, { clock, random, retries: 0, onWarning: () => {} });
  const informers = new Informers({ source: client.listerWatcher, clock, random, onFailure: () => {} });
  const end = new AbortController();
  const running = informers.run(end.signal);
  starting.defer(async () => {
    end.abort();
    await running;
  });
  const environment = { client, informers, clock, random, recorder, log };
  starting.use(
    await startKubelet({ ...environment, nodes: [{ name: "one", capacity: { cpu: "2" } }], runtime: new SimulatedRuntime(clock) }),
  );
  starting.use(await startScheduler(environment));
  return starting.move();
}

async function makeWork(rig: SchedulerRig): Promise<void> {
  const cpu = (name: string) => ({
    containers: [
      { name: "main", image: "busybox", command: ["sleep", name === "job" ? "5" : "infinity"], resources: { requests: { cpu: "1" } } },
    ],
  });
  await rig.client.create(PriorityClass, { metadata: { name: "high" }, value: 1000 });
  await rig.addPod("low", cpu("low"));
  await rig.addPod("job", { ...cpu("job"), restartPolicy: "Never" });
  await rig.settle();
  await rig.addPod("urgent", { ...cpu("urgent"), priorityClassName: "high" });
  await rig.settle();
}

/** What matters of the cluster when nothing is left to do. */
async function outcome(rig: SchedulerRig): Promise<readonly string[]> {
  const { items } = await rig.client.list(Pod, { namespace: "default" });
  return items.map(
    ({ metadata, spec, status }) => `${metadata.name} ${spec?.nodeName} ${status?.phase} ${status?.containerStatuses?.[0]?.restartCount}`,
  );
}

test("killed after any single write and started again, scheduler and kubelet come to the same end", async () => {
  const outcomes = new Set<string>();
  let wasAlive = false;
  for (let writes = 2; !wasAlive && writes < 60; writes++) {
    await using rig = await startRig({ schedules: false });
    const process = mortal(rig.transport, writes);
    const first = await startProcess(rig, process.transport);
    await rig.client.mergePatch(Node, { name: "one" }, { spec: { taints: null } });
    await makeWork(rig);
    await rig.clock.advance(9000);
    wasAlive = !process.isDead();
    await first[Symbol.asyncDispose]();
    await using _second = await startProcess(rig, rig.transport);
    await rig.clock.advance(60_000);
    await rig.settle();
    outcomes.add((await outcome(rig)).join("; "));
  }
  assert.ok(wasAlive, "there is an end to the writes");
  // Who is scheduled before the urgent pod comes depends on when the process dies; each pod comes to one of its ends all the same.
  const waits = "undefined Pending undefined";
  const isEnd = new RegExp(`^(?:job (?:one Succeeded 0|${waits}); )?(?:low (?:one Running 0|${waits}); )?urgent one Running 0$`);
  assert.deepEqual(
    [...outcomes].filter((each) => !isEnd.test(each)),
    [],
  );
});
