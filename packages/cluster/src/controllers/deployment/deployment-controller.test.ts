import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import type { DeploymentCondition } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { startControllerRig } from "../testing/controller-rig.ts";
import type { ControllerRig } from "../testing/controller-rig.ts";

const controllers = ["deployment-controller", "replicaset-controller"];

async function startDeployment(spec: Partial<NonNullable<Deployment["spec"]>> = {}): Promise<ControllerRig> {
  await using starting = new AsyncDisposableStack();
  const rig = starting.use(await startControllerRig({ only: controllers }));
  await rig.client.create(Deployment, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image: "example/web:1" }] } },
      ...spec,
    },
  });
  await rig.settle();
  starting.move();
  return rig;
}

async function condition(rig: ControllerRig, type: string): Promise<Partial<DeploymentCondition>> {
  const { status } = await rig.client.get(Deployment, "default/web");
  return status?.conditions?.find((each) => each.type === type) ?? {};
}

async function roll(rig: ControllerRig, image: string): Promise<void> {
  const containers = [{ name: "main", image }];
  await rig.client.mergePatch(Deployment, "default/web", { spec: { template: { spec: { containers } } } });
  await rig.settle();
}

test("every step of a roll-out is said", async () => {
  await using rig = await startDeployment({ replicas: 2 });
  await roll(rig, "example/web:2");
  const names = (await rig.all(ReplicaSet)).toSorted((left, right) => (left.spec?.replicas ?? 0) - (right.spec?.replicas ?? 0));
  const [old = "", fresh = ""] = names.map(({ metadata }) => metadata.name);
  assert.deepEqual(
    rig.events.filter((text) => text.startsWith("ScalingReplicaSet")),
    [
      `ScalingReplicaSet web: Scaled up replica set ${old} from 0 to 2`,
      `ScalingReplicaSet web: Scaled up replica set ${fresh} from 0 to 1`,
      `ScalingReplicaSet web: Scaled down replica set ${old} from 2 to 1`,
      `ScalingReplicaSet web: Scaled up replica set ${fresh} from 1 to 2`,
      `ScalingReplicaSet web: Scaled down replica set ${old} from 1 to 0`,
    ],
  );
});

test("a roll-out that makes no progress for the deadline is said to have timed out, and to go on when it does", async () => {
  await using rig = await startDeployment({ progressDeadlineSeconds: 30 });
  const stuck = rig.runtime.pods.match("app=web").neverReady();
  await roll(rig, "example/web:2");
  await rig.clock.advance(29_000);
  assert.equal((await condition(rig, "Progressing")).status, "True");
  await rig.clock.advance(5000);
  await rig.settle();
  const { status, reason, message = "" } = await condition(rig, "Progressing");
  assert.deepEqual([status, reason], ["False", "ProgressDeadlineExceeded"]);
  assert.match(message, /^ReplicaSet "web-[^"]+" has timed out progressing\.$/);
  stuck.run();
  await rig.clock.advance(60_000);
  await rig.settle();
  assert.equal((await condition(rig, "Progressing")).reason, "NewReplicaSetAvailable");
});

test("pods count as available when they have been ready for long enough", async () => {
  await using rig = await startDeployment({ minReadySeconds: 20 });
  assert.equal((await condition(rig, "Available")).status, "False");
  await rig.clock.advance(21_000);
  await rig.settle();
  assert.equal((await condition(rig, "Available")).status, "True");
});

test("a name that something else has is a collision, and another hash is found", async () => {
  await using rig = await startDeployment();
  const [first] = await rig.all(ReplicaSet);
  await rig.client.delete(Deployment, "default/web", { propagationPolicy: "Orphan" });
  const { metadata } = await rig.client.get(Deployment, "default/web");
  await rig.client.mergePatch(Deployment, metadata, { metadata: { finalizers: null } });
  await rig.client.mergePatch(ReplicaSet, first?.metadata ?? "", { metadata: { labels: { app: "other" }, ownerReferences: null } });
  await rig.client.create(Deployment, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image: "example/web:1" }] } },
    },
  });
  await rig.settle();
  assert.equal((await rig.client.get(Deployment, "default/web")).status?.collisionCount, 1);
  assert.equal((await rig.all(ReplicaSet)).length, 2);
});

test("a pod that is deleted is replaced", async () => {
  await using rig = await startDeployment({ replicas: 1 });
  const [pod] = await rig.all(Pod);
  await rig.client.delete(Pod, pod?.metadata ?? "");
  await rig.settle();
  const [next, ...others] = await rig.all(Pod);
  assert.notEqual(next?.metadata.name, pod?.metadata.name);
  assert.equal(next?.status?.phase, "Running");
  assert.deepEqual(others, []);
});
