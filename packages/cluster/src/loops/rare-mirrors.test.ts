import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap, Node, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import type { PersistentVolumeClaimSpec, PodSpec } from "@kaji/types/core/v1";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import { startCluster } from "../start-cluster.ts";
import { NotMirroredError, RareMirrors } from "./rare-mirrors.ts";

const inDefault = (name: string): { readonly name: string; readonly namespace: string } => ({ name, namespace: "default" });
const container = { name: "main", image: "nginx" };

test("rare mirrors open all together, when one of them is read for the first time, and tell of what is there and what changes", async () => {
  await using rig = await startRig({ schedules: false });
  await rig.client.create(ConfigMap, { metadata: inDefault("early") });
  const seen: string[] = [];
  const before = rig.informers.size;
  using mirrors = new RareMirrors(rig.informers, [ConfigMap, PersistentVolumeClaim], ({ metadata }) => void seen.push(metadata.name));
  assert.equal(rig.informers.size, before);

  const early = (): unknown => mirrors.lister(ConfigMap).get(inDefault("early"));
  const error = thrownBy(early);
  assert.ok(error instanceof NotMirroredError);
  assert.equal(rig.informers.size, before + 2);
  await error.mirrored;
  assert.notEqual(early(), undefined);
  assert.equal(mirrors.lister(PersistentVolumeClaim).size, 0);
  assert.throws(() => mirrors.lister(Node), /nodes are not among the kinds that are mirrored/);

  await rig.client.create(ConfigMap, { metadata: inDefault("late") });
  await rig.settle();
  assert.deepEqual(seen, ["early", "late"]);
  mirrors[Symbol.dispose]();
  assert.equal(rig.informers.size, before);
});

test("[FORK2] a roll-out in a fork watches nothing that its pods do not need, and the first pod that needs more has it", async () => {
  await using base = await startCluster({ clock: new ManualClock(), random: seededRandom(1) });
  const snapshot = await base.snapshot();
  const watched = new Set<string>();
  await using fork = await snapshot.restore({
    clock: new ManualClock(snapshot.atMs),
    random: seededRandom(2),
    observe: ({ info }) => info.type === "Resource" && info.verb === "watch" && watched.add(info.resource),
  });
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [container] } };
  await fork.client.create(Deployment, { metadata: inDefault("web"), spec: { selector: { matchLabels: { app: "web" } }, template } });
  await fork.settled();
  const usual = ["deployments", "namespaces", "nodes", "poddisruptionbudgets", "pods", "replicasets"];
  assert.deepEqual([...watched].toSorted(), usual);

  const env = [{ name: "COLOUR", valueFrom: { configMapKeyRef: { name: "colours", key: "sky" } } }];
  const spec: PodSpec = { containers: [{ ...container, env }], volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] };
  await fork.client.create(Pod, { metadata: inDefault("needy"), spec });
  await fork.settled();
  assert.equal(await phaseOf(), "Pending");
  const claim: PersistentVolumeClaimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  await fork.client.create(PersistentVolumeClaim, { metadata: inDefault("data"), spec: claim });
  await fork.settled();
  assert.equal(await phaseOf(), "Pending");
  await fork.client.create(ConfigMap, { metadata: inDefault("colours"), data: { sky: "blue" } });
  await fork.settled();
  assert.equal(await phaseOf(), "Running");
  for (const kind of ["configmaps", "persistentvolumeclaims", "persistentvolumes", "storageclasses"]) assert.ok(watched.has(kind), kind);

  async function phaseOf(): Promise<string | undefined> {
    return (await fork.client.get(Pod, inDefault("needy"))).status?.phase;
  }
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
