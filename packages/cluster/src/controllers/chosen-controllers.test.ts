import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import { startControllers } from "./testing/start-controllers.ts";

test("a name that no controller has is refused, and those that there are are named", async () => {
  await using rig = await startRig({ schedules: false });
  assert.throws(
    () => startControllers({ ...rig, only: ["replicaset"] }),
    /there is no controller "replicaset"; there are .*replicaset-controller/,
  );
});

test("a controller that is left out does nothing", async () => {
  await using rig = await startRig({ schedules: false });
  await using controllers = startControllers({ ...rig, only: ["replicaset-controller"] });
  await controllers.synced;
  await rig.client.create(Deployment, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image: "example/web:1" }] } },
    },
  });
  await rig.settle();
  assert.deepEqual((await rig.client.list(ReplicaSet, { namespace: "default" })).items, []);
  assert.deepEqual(controllers.load, { queued: 0, inFlight: 0, nextDueInMs: undefined });
});
