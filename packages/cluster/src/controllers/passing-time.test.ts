import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeClient } from "@kaji/client";
import type { Clock } from "@kaji/core";
import { DaemonSet, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import { startControllers } from "./testing/start-controllers.ts";

const metadata = { name: "web", namespace: "default" };
const labels = { app: "web" };
const spec = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx" }] } },
};

/** Those who replace a pod that has ended, but not at once. */
const workloads: readonly { readonly controller: string; readonly create: (client: KubeClient) => Promise<unknown> }[] = [
  { controller: "daemonset-controller", create: (client) => client.create(DaemonSet, { metadata, spec }) },
  { controller: "replicaset-controller", create: (client) => client.create(ReplicaSet, { metadata, spec }) },
  {
    controller: "statefulset-controller",
    create: (client) => client.create(StatefulSet, { metadata, spec: { ...spec, serviceName: "web" } }),
  },
];

for (const { controller, create } of workloads) {
  test(`a pod that comes of age while it is looked at is replaced all the same: ${controller}`, async () => {
    for (const ageMs of [300, 500, 700, 900]) {
      await using rig = await startRig({ schedules: false });
      await rig.addNode("node");
      const hurried = hurriedClock(rig.clock);
      await using controllers = startControllers({ ...rig, clock: hurried, only: [controller] });
      await controllers.synced;
      await create(rig.client);
      await rig.settle();
      const [pod] = (await rig.client.list(Pod, { namespace: "default" })).items;
      assert.ok(pod);
      hurried.aheadMs = ageMs;
      await rig.client.mergePatch(Pod, pod.metadata, { status: { phase: "Failed" } }, { subresource: "status" });
      await rig.settle();
      await rig.clock.advance(2000);
      const phases = (await rig.client.list(Pod, { namespace: "default" })).items.map(({ status }) => status?.phase);
      assert.ok(phases.includes("Pending"), `${ageMs} ms after its beginning: ${phases.join()}`);
    }
  });
}

/** A clock on which time passes whenever somebody looks at it, as it does in a reconcile that waits for its writes. */
function hurriedClock(clock: Clock): Clock & { aheadMs: number } {
  return {
    aheadMs: 0,
    now() {
      this.aheadMs += 200;
      return clock.now() + this.aheadMs;
    },
    monotonic: () => clock.monotonic(),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    timer: (delayMs, callback) => clock.timer(delayMs, callback),
  };
}
