import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeleteOptions } from "@kaji/client";
import { resource } from "@kaji/core";
import type { DynamicObject, KubeObject, OwnerReference, Resource } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ConfigMap, Namespace, PersistentVolume } from "@kaji/types/core/v1";
import { startRig } from "../../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../../scheduler/testing/scheduler-rig.ts";
import { startControllers } from "../testing/start-controllers.ts";

const Gadget: Resource<DynamicObject> = resource({
  group: "example.com",
  version: "v1",
  kind: "Gadget",
  plural: "gadgets",
  scope: "Namespaced",
});

interface CollectorRig extends SchedulerRig {
  configMap(name: string, owners?: readonly KubeObject[], more?: Partial<OwnerReference>): Promise<ConfigMap>;
  remove(name: string, options?: DeleteOptions): Promise<void>;
  /** The names of all ConfigMaps in `default`. */
  names(): Promise<readonly string[]>;
}

async function startCollector(): Promise<CollectorRig> {
  await using starting = new AsyncDisposableStack();
  const rig = starting.use(await startRig({ schedules: false }));
  const controllers = starting.use(startControllers({ ...rig, only: ["garbage-collector-controller"] }));
  await controllers.synced;
  const settle = async (): Promise<void> => {
    do await rig.settle();
    while (controllers.load.queued + controllers.load.inFlight > 0);
  };
  const all = starting.move();
  return {
    ...rig,
    settle,
    configMap: (name, owners = [], more = {}) =>
      rig.client.create(ConfigMap, {
        metadata: { name, namespace: "default", ownerReferences: owners.map((owner) => ownedBy(owner, more)) },
      }),
    remove: async (name, options) => {
      await rig.client.delete(ConfigMap, { namespace: "default", name }, options);
      await settle();
    },
    names: async () => (await rig.client.list(ConfigMap, { namespace: "default" })).items.map(({ metadata }) => metadata.name),
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
}

function ownedBy({ apiVersion, kind, metadata }: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", ...more };
}

test("dependents of dependents go, however deep", async () => {
  await using rig = await startCollector();
  let last = await rig.configMap("first");
  for (const name of ["second", "third", "fourth"]) last = await rig.configMap(name, [last]);
  await rig.settle();
  await rig.remove("first");
  assert.deepEqual(await rig.names(), []);
});

test("one that is to stop finishes what it does, and leaves the rest", async () => {
  await using rig = await startRig({ schedules: false });
  const gone = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "gone", namespace: "default", uid: "gone" } };
  const metadata = { namespace: "default", ownerReferences: [ownedBy(gone)] };
  for (let index = 0; index < 200; index++) await rig.client.create(ConfigMap, { metadata: { ...metadata, name: `c-${index}` } });
  const controllers = startControllers({ ...rig, only: ["garbage-collector-controller"] });
  await controllers.synced;
  await controllers[Symbol.asyncDispose]();
  const { items } = await rig.client.list(ConfigMap, { namespace: "default" });
  assert.ok(items.length > 100, `${items.length} are left`);
});

test("an owner of the same name that is another object is none", async () => {
  await using rig = await startCollector();
  const owner = await rig.configMap("owner");
  await rig.client.create(ConfigMap, {
    metadata: { name: "child", namespace: "default", ownerReferences: [{ ...ownedBy(owner), uid: "another" }] },
  });
  await rig.settle();
  assert.deepEqual(await rig.names(), ["owner"]);
});

test("objects of custom kinds are owners and dependents as soon as the kind is served", async () => {
  await using rig = await startCollector();
  await rig.client.create(CustomResourceDefinition, {
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  });
  await rig.settle();
  const owner = await rig.configMap("owner");
  const gadget = await rig.client.create(Gadget, { metadata: { name: "gadget", namespace: "default", ownerReferences: [ownedBy(owner)] } });
  await rig.configMap("leaf", [gadget]);
  await rig.settle();
  await rig.remove("owner");
  assert.deepEqual((await rig.client.list(Gadget, { namespace: "default" })).items, []);
  assert.deepEqual(await rig.names(), []);
});

test("an owner of a kind that is not served keeps its dependents", async () => {
  await using rig = await startCollector();
  const owner = { apiVersion: "example.com/v1", kind: "Gadget", metadata: { name: "gadget", uid: "1" } };
  await rig.configMap("child", [owner]);
  await rig.settle();
  assert.deepEqual(await rig.names(), ["child"]);
});

test("an owner in another namespace is none, and that is said", async () => {
  await using rig = await startCollector();
  await rig.client.create(Namespace, { metadata: { name: "elsewhere" } });
  const owner = await rig.client.create(ConfigMap, { metadata: { name: "owner", namespace: "elsewhere" } });
  await rig.settle();
  await rig.configMap("child", [owner]);
  await rig.settle();
  assert.deepEqual(await rig.names(), []);
  assert.deepEqual(rig.events, [
    `OwnerRefInvalidNamespace child: ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "default"`,
  ]);
});

test("an object at cluster scope with an owner in a namespace is left alone", async () => {
  await using rig = await startCollector();
  const owner = await rig.configMap("owner");
  const spec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce" as const], hostPath: { path: "/data" } };
  await rig.client.create(PersistentVolume, { metadata: { name: "volume", ownerReferences: [ownedBy(owner)] }, spec });
  await rig.settle();
  await rig.remove("owner");
  assert.equal((await rig.client.list(PersistentVolume)).items.length, 1);
});

test("in the foreground an owner goes last, and what does not block it goes as well", async () => {
  await using rig = await startCollector();
  const owner = await rig.configMap("owner");
  const child = await rig.configMap("child", [owner], { blockOwnerDeletion: true });
  await rig.configMap("grandchild", [child], { blockOwnerDeletion: true });
  await rig.configMap("free", [owner]);
  await rig.settle();
  await rig.remove("owner", { propagationPolicy: "Foreground" });
  assert.deepEqual(await rig.names(), []);
});

test("owners in a circle go all the same", async () => {
  await using rig = await startCollector();
  const one = await rig.configMap("one");
  const two = await rig.configMap("two", [one], { blockOwnerDeletion: true });
  await rig.client.mergePatch(ConfigMap, one.metadata, { metadata: { ownerReferences: [ownedBy(two, { blockOwnerDeletion: true })] } });
  await rig.settle();
  await rig.remove("one", { propagationPolicy: "Foreground" });
  assert.deepEqual(await rig.names(), []);
});

test("orphans lose just the reference to the owner that has gone", async () => {
  await using rig = await startCollector();
  const [one, two] = [await rig.configMap("one"), await rig.configMap("two")];
  await rig.configMap("child", [one, two]);
  await rig.settle();
  await rig.remove("one", { propagationPolicy: "Orphan" });
  const { metadata } = await rig.client.get(ConfigMap, "default/child");
  assert.deepEqual(metadata.ownerReferences, [ownedBy(two)]);
});

test("a kind that cannot be listed, such as one whose conversion webhook is not there yet, keeps neither the start nor the collection", async () => {
  await using rig = await startRig({ schedules: false });
  const { client, clock, random } = rig;
  const refuse = (): never => {
    throw new Error("conversion webhook failed");
  };
  const source: typeof client.listerWatcher = (kind, scope) =>
    kind.plural === "limitranges" ? { list: refuse, watch: refuse } : client.listerWatcher(kind, scope);
  const informers = new Informers({ source, clock, random });
  const end = new AbortController();
  const running = informers.run(end.signal);
  {
    await using controllers = startControllers({ ...rig, informers, only: ["garbage-collector-controller"] });
    let hasStarted = false;
    void controllers.synced.then(() => (hasStarted = true));
    await clock.advance(4_000);
    await rig.settle();
    assert.equal(hasStarted, false);
    await clock.advance(2_000);
    await controllers.synced;
    const gone = { apiVersion: "v1", kind: "ConfigMap", name: "gone", uid: "1" };
    await client.create(ConfigMap, { metadata: { name: "left", namespace: "default", ownerReferences: [gone] } });
    do await rig.settle();
    while (controllers.load.queued + controllers.load.inFlight > 0);
    assert.deepEqual((await client.list(ConfigMap, { namespace: "default" })).items, []);
  }
  end.abort();
  await running;
});
