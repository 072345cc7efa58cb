import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createClient, loadConfig } from "@kaji/client";
import type { Connection, KubeClient } from "@kaji/client";
import { isReason, resource, systemClock, systemRandom } from "@kaji/core";
import type { Clock, DynamicObject, KubeObject, Resource } from "@kaji/core";
import { ManualClock, eventually } from "@kaji/core/testing";
import { Informer } from "@kaji/informer";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { ClusterRole, ClusterRoleBinding } from "@kaji/types/rbac/v1";
import { CuttingProxy } from "./cutting-proxy.ts";

/** A server of which a kubeconfig is known. */
export interface FaultyServer extends AsyncDisposable {
  readonly kubeconfig: string;
  /** Ends it, and starts it again where it was, with all its objects. */
  restart(): Promise<void>;
  /** Makes it forget what happened before now. */
  loseHistory(): Promise<void>;
}

interface Stage {
  readonly server: FaultyServer;
  /** A client of the server itself, which may do anything. */
  readonly client: KubeClient;
  readonly connection: Connection;
  /** The way that informers take. */
  readonly proxy: CuttingProxy;
}

/** What an informer must bear, between whatever server and a network that breaks. */
export function faultsContract(name: string, start: () => Promise<FaultyServer>): void {
  describe(`an informer of ${name}`, () => {
    const started = new AsyncDisposableStack();
    let stage: Stage;
    before(async () => {
      const server = started.use(await start());
      const { connection } = await loadConfig({ kubeconfig: server.kubeconfig });
      const proxy = started.use(await CuttingProxy.start(connection.server));
      stage = { server, client: started.use(await createClient({ connection })), connection, proxy };
    });
    after(() => started.disposeAsync());
    for (const [rule, check] of Object.entries(rules)) test(rule, () => check(stage));
  });
}

const rules: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "[FAULT3] tells everything once, though connections are closed, reset and refused": async (stage) => {
    const namespace = await freshNamespace(stage.client);
    await using mirror = await mirrorOf(stage, ConfigMap, { namespaces: [namespace], labelSelector: "ours" });
    await mirror.synced;
    const written: string[] = [];
    for (const fault of ["close", "reset", "down", "none"] as const) {
      for (let index = 0; index < 10; index++) written.push(await write(stage.client, namespace, `${fault}-${index}`));
      stage.proxy.isDown = fault === "down";
      if (fault !== "none") stage.proxy.cut(fault === "close" ? "close" : "reset");
      for (let index = 0; index < 10; index++) written.push(await write(stage.client, namespace, `${fault}-${index}`, "again"));
      stage.proxy.isDown = false;
    }
    await mirror.until(() => mirror.told.length >= written.length);
    assert.deepEqual(mirror.told.toSorted(), written.toSorted());
    assert.equal(mirror.informer.state.type, "Synced");
  },

  "[FAULT3] takes a frame of a megabyte": async (stage) => {
    const namespace = await freshNamespace(stage.client);
    await using mirror = await mirrorOf(stage, ConfigMap, { namespaces: [namespace], labelSelector: "ours" });
    await mirror.synced;
    await write(stage.client, namespace, "large", "x".repeat(1_000_000));
    await mirror.until(() => mirror.told.length === 1);
    assert.equal(mirror.informer.lister.get({ namespace, name: "large" })?.data?.["value"]?.length, 1_000_000);
  },

  "[FAULT5] hears that a connection is dead which nobody has closed": async (stage) => {
    const namespace = await freshNamespace(stage.client);
    const clock = new ManualClock();
    await using mirror = await mirrorOf(stage, ConfigMap, { namespaces: [namespace], labelSelector: "ours" }, clock);
    await mirror.synced;
    const written = [await write(stage.client, namespace, "before")];
    await mirror.until(() => mirror.told.length === 1);
    stage.proxy.freeze();
    written.push(await write(stage.client, namespace, "before", "again"), await write(stage.client, namespace, "meanwhile"));
    for (const { accepted } = stage.proxy; stage.proxy.accepted === accepted;) {
      await clock.advance((clock.nextDueMs ?? clock.now()) - clock.now());
      await systemClock.sleep(50);
    }
    await mirror.until(() => mirror.told.length === written.length);
    assert.deepEqual(mirror.told.toSorted(), written.toSorted());
  },

  "[FAULT5] tells everything once, though the server is restarted": async (stage) => {
    const namespace = await freshNamespace(stage.client);
    await using mirror = await mirrorOf(stage, ConfigMap, { namespaces: [namespace], labelSelector: "ours" });
    await mirror.synced;
    const written: string[] = [];
    for (let index = 0; index < 5; index++) written.push(await write(stage.client, namespace, `before-${index}`));
    await mirror.until(() => mirror.told.length === written.length);
    await stage.server.restart();
    written.push(await write(stage.client, namespace, "after"), await write(stage.client, namespace, "before-0", "again"));
    await mirror.until(() => mirror.told.length === written.length);
    assert.deepEqual(mirror.told.toSorted(), written.toSorted());
    assert.equal(mirror.informer.state.type, "Synced");
  },

  "[FAULT5] tells how things stand when the server has forgotten how they came about": async (stage) => {
    const { client, proxy, server } = stage;
    const namespace = await freshNamespace(client);
    await using mirror = await mirrorOf(stage, ConfigMap, { namespaces: [namespace], labelSelector: "ours" });
    await mirror.synced;
    const written = [
      await write(client, namespace, "same"),
      await write(client, namespace, "changed"),
      await write(client, namespace, "gone"),
    ];
    await mirror.until(() => mirror.told.length === written.length);
    proxy.isDown = true;
    proxy.cut("reset");
    await write(client, namespace, "changed", "skipped");
    written.push(await write(client, namespace, "changed", "again"), await write(client, namespace, "new"));
    await client.delete(ConfigMap, { namespace, name: "gone" });
    await server.loseHistory();
    proxy.isDown = false;
    await mirror.until(() => mirror.told.length === written.length && mirror.informer.lister.size === 3);
    assert.deepEqual(mirror.told.toSorted(), written.toSorted());
    assert.equal(mirror.informer.lister.get({ namespace, name: "changed" })?.data?.["value"], "again");
  },

  "[FAULT4] says at the first refusal that a kind is forbidden, and goes on when it no longer is": async (stage) => {
    const namespace = await freshNamespace(stage.client);
    const name = namespace;
    const impersonated = {
      ...stage,
      connection: { ...stage.connection, user: { ...stage.connection.user, impersonate: { username: name } } },
    };
    await refusedFirst(impersonated, ConfigMap, "Forbidden");
    await using mirror = await mirrorOf(impersonated, ConfigMap, { namespaces: [namespace] });
    await mirror.untilFailing("Forbidden");
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }];
    await stage.client.create(ClusterRole, { metadata: { name }, rules });
    await stage.client.create(ClusterRoleBinding, {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
    });
    await mirror.synced;
    assert.equal(mirror.informer.state.type, "Synced");
  },

  "[FAULT4] says at the first refusal that a kind is not there, and follows it when it comes, goes and comes again": async (stage) => {
    const { client } = stage;
    await refusedFirst(stage, Gadget, "NotFound");
    await using mirror = await mirrorOf(stage, Gadget, {});
    await mirror.untilFailing("NotFound");
    for (const size of [1, 2]) {
      await client.create(CustomResourceDefinition, gadgetCrd);
      await untilServed(client);
      const { metadata } = await client.create(Gadget, { ...gadget, spec: { size } });
      await mirror.until(() => mirror.informer.lister.get(gadget.metadata)?.metadata.uid === metadata.uid);
      // It may have been found by a list. What comes after it is seen by a watch, and so is its end.
      const updated = await client.mergePatch(Gadget, gadget.metadata, { spec: { size: size + 1 } });
      await mirror.until(() => mirror.told.at(-1) === updated.metadata.resourceVersion);
      await client.delete(CustomResourceDefinition, gadgetCrd.metadata.name);
      await mirror.until(() => mirror.informer.lister.size === 0);
      await untilGone(client);
    }
  },
};

const Gadget = resource<DynamicObject>({ group: "faults.kaji.dev", version: "v1", kind: "Gadget", plural: "gadgets", scope: "Namespaced" });
const gadget = { apiVersion: "faults.kaji.dev/v1", kind: "Gadget", metadata: { name: "g", namespace: "default" } };
const gadgetCrd = {
  metadata: { name: "gadgets.faults.kaji.dev" },
  spec: {
    group: Gadget.group,
    scope: Gadget.scope,
    names: { plural: Gadget.plural, singular: Gadget.singular, kind: Gadget.kind, listKind: Gadget.listKind },
    versions: [
      {
        name: Gadget.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object" as const, "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

interface Mirror<T extends KubeObject> extends AsyncDisposable {
  readonly informer: Informer<T>;
  /** Resolves when everything is there; nobody waits for ever. */
  readonly synced: Promise<void>;
  /** The versions that were told, in their order. */
  readonly told: readonly string[];
  /** Waits until something is so, after something was told or the state has changed. */
  until(isSo: () => boolean): Promise<void>;
  /** Waits until the informer says that the server refuses, for this reason. */
  untilFailing(reason: Refusal): Promise<void>;
}

type Refusal = "Forbidden" | "NotFound";

/** Fails unless the first answer is the refusal: while the clock stands still, nothing is asked for again. */
async function refusedFirst<T extends KubeObject>(stage: Stage, of: Resource<T>, reason: Refusal): Promise<void> {
  await using mirror = await mirrorOf(stage, of, {}, new ManualClock());
  await mirror.untilFailing(reason);
}

/** A server may be slow, and an informer waits up to half a minute before it tries again. */
const patienceMs = 10 * 60_000;

/** An informer that takes the way through the proxy, and writes down what it tells. */
async function mirrorOf<T extends KubeObject>(
  { connection, proxy }: Stage,
  of: Resource<T>,
  scope: { readonly namespaces?: readonly string[]; readonly labelSelector?: string },
  clock: Clock = systemClock,
): Promise<Mirror<T>> {
  const client = await createClient({ connection: { ...connection, server: proxy.url } });
  const common = { clock, random: systemRandom, onFailure: () => undefined };
  const informer = new Informer<T>({ of, source: client.listerWatcher, ...common, ...scope });
  const told: string[] = [];
  const looks = new Set<() => void>();
  const look = (): void => looks.forEach((each) => each());
  informer.onState(look);
  informer.subscribe(({ type, metadata }) => {
    if (type !== "Deleted") told.push(metadata.resourceVersion ?? "");
    queueMicrotask(look);
  });
  const until = async (isSo: () => boolean): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = (): void => (isSo() ? resolve() : undefined);
    using _limit = systemClock.timer(patienceMs, () =>
      reject(new Error(`still not so after ${patienceMs} ms; the informer is ${JSON.stringify(informer.state)}, and told ${told.length}`)),
    );
    looks.add(check);
    check();
    await promise.finally(() => looks.delete(check));
  };
  const end = new AbortController();
  const running = informer.run(end.signal);
  return {
    informer,
    told,
    until,
    get synced() {
      return until(() => informer.state.type === "Synced");
    },
    untilFailing: (reason) => until(() => informer.state.type === "Failing" && isReason(informer.state.error, reason)),
    async [Symbol.asyncDispose]() {
      end.abort();
      await running;
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Writes a ConfigMap, and returns the version that it has then. */
async function write(client: KubeClient, namespace: string, name: string, value = ""): Promise<string> {
  const labels = { ours: "yes" };
  const object = { metadata: { name, namespace, labels }, data: { value } };
  const { metadata } = await client.apply(ConfigMap, object, { fieldManager: "faults", force: true });
  return metadata.resourceVersion ?? "";
}

async function freshNamespace(client: KubeClient): Promise<string> {
  return (await client.create(Namespace, { metadata: { generateName: "faults-" } })).metadata.name;
}

/** A definition goes when its objects are gone. */
async function untilGone(client: KubeClient): Promise<void> {
  await eventually("the definition is gone", async () => {
    const left = await client.list(CustomResourceDefinition, { fieldSelector: `metadata.name=${gadgetCrd.metadata.name}` });
    return left.items.length === 0;
  });
}

/** A server may need a moment after it has accepted a definition. */
async function untilServed(client: KubeClient): Promise<void> {
  await eventually("the definition is served", async () => {
    try {
      await client.list(Gadget, { limit: 1 });
      return true;
    } catch (error) {
      if (isReason(error, "NotFound")) return false;
      throw error;
    }
  });
}
