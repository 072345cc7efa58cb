import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { KubeClient } from "@kaji/client";
import { ApiError, isReason, resource } from "@kaji/core";
import type { DynamicObject, KubeObject } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";
import type { SelfSubjectReview } from "@kaji/types/authentication/v1";
import { ConfigMap, ServiceAccount } from "@kaji/types/core/v1";
import { freshNamespace } from "./fresh-namespace.ts";
import { podVerbs } from "./pod-verbs.ts";

/** A server to try the verbs on, and a client of it that may do anything. */
export interface TestServer extends AsyncDisposable {
  readonly client: KubeClient;
}

/** Selects what the tests make: a controller of the server may put a ConfigMap of its own into every namespace. */
const ours = { labelSelector: "set" };

/** The same kind as a program sees it that knows it by name only. */
const DynamicConfigMap = resource<DynamicObject>({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
});

/** What every verb must do, on whatever server. */
export function verbsContract(name: string, start: () => Promise<TestServer>): void {
  describe(`verbs on ${name}`, () => {
    let server: TestServer;
    before(async () => {
      server = await start();
    });
    after(() => server[Symbol.asyncDispose]());
    for (const [rule, check] of Object.entries({ ...rules, ...podVerbs })) test(rule, () => check(server.client));
  });
}

const rules: Readonly<Record<string, (client: KubeClient) => Promise<void>>> = {
  "create returns what the server made of the draft, and get reads it by key or by metadata": async (client) => {
    const namespace = await freshNamespace(client);
    const created = await client.create(ConfigMap, { metadata: { name: "a", namespace }, data: { key: "value" } });
    assert.equal(created.kind, "ConfigMap");
    assert.ok(created.metadata.uid);
    assert.deepEqual(await client.get(ConfigMap, `${namespace}/a`), created);
    assert.deepEqual(await client.get(ConfigMap, created.metadata), created);
    assert.deepEqual(await client.get(DynamicConfigMap, `${namespace}/a`), created);
  },

  "an object that is not there is a NotFound that names it and the request": async (client) => {
    await assert.rejects(client.get(ConfigMap, "default/nope"), (error) => {
      assert.ok(isReason(error, "NotFound"));
      assert.equal(error.code, 404);
      assert.equal(error.details?.name, "nope");
      assert.deepEqual(error.request, { verb: "GET", path: "/api/v1/namespaces/default/configmaps/nope" });
      return true;
    });
  },

  "creating what exists is AlreadyExists, what is wrong Invalid": async (client) => {
    const namespace = await freshNamespace(client);
    await createMaps(client, namespace, ["a"]);
    const isRefused =
      (reason: "AlreadyExists" | "Invalid") =>
      (error: unknown): boolean =>
        isReason(error, reason);
    await assert.rejects(client.create(ConfigMap, { metadata: { name: "a", namespace } }), isRefused("AlreadyExists"));
    await assert.rejects(client.create(ConfigMap, { metadata: { name: "A", namespace } }), isRefused("Invalid"));
  },

  "list selects by namespace, labels and fields, and its items know their kind": async (client) => {
    const namespace = await freshNamespace(client);
    await createMaps(client, namespace, ["a", "b", "c"]);
    const names = async (options: object): Promise<readonly string[]> => {
      const { items } = await client.list(ConfigMap, { namespace, ...ours, ...options });
      assert.ok(items.every(({ apiVersion, kind }) => apiVersion === "v1" && kind === "ConfigMap"));
      return items.map(({ metadata }) => metadata.name);
    };
    assert.deepEqual(await names({}), ["a", "b", "c"]);
    assert.deepEqual(await names({ labelSelector: "set in (a,c)" }), ["a", "c"]);
    assert.deepEqual(await names({ labelSelector: { matchLabels: { set: "b" } } }), ["b"]);
    assert.deepEqual(await names({ fieldSelector: "metadata.name!=b" }), ["a", "c"]);
    const everywhere = await client.list(ConfigMap, ours);
    assert.ok(everywhere.items.length >= 3);
  },

  "a list comes in pages of one version, and listAll walks them": async (client) => {
    const namespace = await freshNamespace(client);
    await createMaps(client, namespace, ["a", "b", "c", "d", "e"]);
    const first = await client.list(ConfigMap, { namespace, ...ours, limit: 2 });
    assert.equal(first.items.length, 2);
    assert.ok(first.metadata.continue);
    await createMaps(client, namespace, ["ca"]);
    const second = await client.list(ConfigMap, { namespace, ...ours, limit: 2, continue: first.metadata.continue });
    assert.deepEqual(
      second.items.map(({ metadata }) => metadata.name),
      ["c", "d"],
    );
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
    const all: string[] = [];
    for await (const { metadata } of client.listAll(ConfigMap, { namespace, ...ours, limit: 2 })) all.push(metadata.name);
    assert.deepEqual(all, ["a", "b", "c", "ca", "d", "e"]);
  },

  "watch tells what happens after a version, until it is aborted": async (client) => {
    const namespace = await freshNamespace(client);
    const { metadata } = await client.list(ConfigMap, { namespace });
    const abort = new AbortController();
    const told: string[] = [];
    const watching = (async () => {
      for await (const event of client.watch(ConfigMap, {
        namespace,
        ...ours,
        resourceVersion: metadata.resourceVersion,
        signal: abort.signal,
      })) {
        assert.ok(event.type !== "BOOKMARK");
        told.push(`${event.type} ${event.object.metadata.name} ${event.object.data?.["k"]}`);
        if (told.length === 3) abort.abort(new Error("enough"));
      }
    })();
    watching.catch(() => {});
    await client.create(ConfigMap, { metadata: { name: "a", namespace, labels: { set: "a" } }, data: { k: "1" } });
    await client.mergePatch(ConfigMap, `${namespace}/a`, { data: { k: "2" } });
    await client.delete(ConfigMap, `${namespace}/a`);
    await assert.rejects(watching, /enough/);
    assert.deepEqual(told, ["ADDED a 1", "MODIFIED a 2", "DELETED a 2"]);
  },

  "a streaming list ends with a bookmark that says so": async (client) => {
    const namespace = await freshNamespace(client);
    await createMaps(client, namespace, ["a", "b"]);
    const told: string[] = [];
    for await (const event of client.watch(ConfigMap, {
      namespace,
      ...ours,
      sendInitialEvents: true,
      allowWatchBookmarks: true,
      resourceVersionMatch: "NotOlderThan",
    })) {
      if (event.type === "BOOKMARK" && event.initialEventsEnd) {
        assert.match(event.resourceVersion, /^\d+$/);
        break;
      }
      told.push(event.type === "BOOKMARK" ? "BOOKMARK" : event.object.metadata.name);
    }
    assert.deepEqual(told.toSorted(), ["a", "b"]);
  },

  "a watch that the server refuses throws the refusal": async (client) => {
    const watch = client.watch(ConfigMap, { resourceVersion: "no-number" });
    await assert.rejects(watch.next(), (error) => error instanceof ApiError && error.code === 500 && /no-number/.test(error.message));
  },

  "update replaces if nobody else has written, and is a Conflict otherwise": async (client) => {
    const namespace = await freshNamespace(client);
    const first = await client.create(ConfigMap, { metadata: { name: "a", namespace }, data: { k: "1", l: "1" } });
    const second = await client.update(ConfigMap, { ...first, data: { k: "2" } });
    assert.deepEqual(second.data, { k: "2" });
    await assert.rejects(client.update(ConfigMap, { ...first, data: { k: "3" } }), (error) => isReason(error, "Conflict"));
    const unconditional = await client.update(ConfigMap, { metadata: { name: "a", namespace }, data: { k: "4" } });
    assert.deepEqual(unconditional.data, { k: "4" });
  },

  "the patches do what their kind of patch does": async (client) => {
    const namespace = await freshNamespace(client);
    const address = `${namespace}/web`;
    await createDeployment(client, namespace, "web");
    const merged = await client.mergePatch(Deployment, address, { metadata: { labels: { a: "1", b: "2" } }, spec: { replicas: 2 } });
    assert.equal(merged.spec?.replicas, 2);
    const removed = await client.mergePatch(Deployment, address, { metadata: { labels: { a: null } } });
    assert.deepEqual(removed.metadata.labels, { b: "2" });
    const stepped = await client.jsonPatch(Deployment, address, [
      { op: "test", path: "/spec/replicas", value: 2 },
      { op: "replace", path: "/spec/replicas", value: 3 },
    ]);
    assert.equal(stepped.spec?.replicas, 3);
    const sidecar = { spec: { template: { spec: { containers: [{ name: "side", image: "side:1" }] } } } };
    const strategic = await client.strategicPatch(Deployment, address, sidecar);
    assert.deepEqual(strategic.spec?.template.spec?.containers.map(({ name }) => name).toSorted(), ["side", "web"]);
    await assert.rejects(client.jsonPatch(Deployment, address, [{ op: "test", path: "/spec/replicas", value: 9 }]), (error) =>
      isReason(error, "Invalid"),
    );
  },

  "apply creates, owns what it says and gives up what it no longer says": async (client) => {
    const namespace = await freshNamespace(client);
    const metadata = { name: "a", namespace };
    const one = { fieldManager: "one" };
    await client.apply(ConfigMap, { metadata, data: { k: "1", l: "1" } }, one);
    const less = await client.apply(ConfigMap, { metadata, data: { k: "1" } }, one);
    assert.deepEqual(less.data, { k: "1" });
    const contested = client.apply(ConfigMap, { metadata, data: { k: "2" } }, { fieldManager: "two" });
    await assert.rejects(contested, (error) => {
      assert.ok(isReason(error, "Conflict"));
      assert.equal(error.details?.causes?.[0]?.field, ".data.k");
      return true;
    });
    const forced = await client.apply(ConfigMap, { metadata, data: { k: "2" } }, { fieldManager: "two", force: true });
    assert.deepEqual(forced.data, { k: "2" });
    assert.deepEqual(
      forced.metadata.managedFields?.map(({ manager }) => manager),
      ["two"],
    );
  },

  "the status is written by its own path, and by nothing else": async (client) => {
    const namespace = await freshNamespace(client);
    const created = await createDeployment(client, namespace, "web");
    const written = await client.updateStatus(Deployment, { ...created, status: { replicas: 1, observedGeneration: 1 } });
    assert.equal(written.status?.replicas, 1);
    const updated = await client.update(Deployment, {
      ...written,
      spec: { ...created.spec, replicas: 4 },
      status: { replicas: 9 },
    } as Deployment);
    assert.equal(updated.spec?.replicas, 4);
    assert.equal(updated.status?.replicas, 1);
    const patched = await client.mergePatch(Deployment, written.metadata, { status: { replicas: 2 } }, { subresource: "status" });
    assert.equal(patched.status?.replicas, 2);
    const applied = await client.applyStatus(
      Deployment,
      { metadata: { name: "web", namespace }, status: { readyReplicas: 2, replicas: 2 } },
      { fieldManager: "status" },
    );
    assert.equal(applied.status?.readyReplicas, 2);
  },

  "scale reads and sets the replicas": async (client) => {
    const namespace = await freshNamespace(client);
    await createDeployment(client, namespace, "web");
    assert.equal((await client.getScale(Deployment, `${namespace}/web`)).spec?.replicas, 1);
    assert.equal((await client.scale(Deployment, `${namespace}/web`, 5)).spec?.replicas, 5);
    assert.equal((await client.get(Deployment, `${namespace}/web`)).spec?.replicas, 5);
  },

  "mutate writes again what somebody else's write has spoilt, and does not write what is so already": async (client) => {
    const namespace = await freshNamespace(client);
    await createMaps(client, namespace, ["a"]);
    const increment = (): Promise<ConfigMap> =>
      client.mutate(ConfigMap, `${namespace}/a`, (current) => ({
        ...current,
        data: { n: String(Number(current.data?.["n"] ?? 0) + 1) },
      }));
    await Promise.all([increment(), increment(), increment(), increment()]);
    const after = await client.get(ConfigMap, `${namespace}/a`);
    assert.deepEqual(after.data, { n: "4" });
    assert.deepEqual(await client.mutate(ConfigMap, `${namespace}/a`, (current) => ({ ...current })), after);
    assert.deepEqual(await client.mutate(ConfigMap, `${namespace}/a`, () => undefined), after);
  },

  "delete heeds preconditions and gives the object back while finalizers keep it": async (client) => {
    const namespace = await freshNamespace(client);
    const created = await client.create(ConfigMap, { metadata: { name: "a", namespace, finalizers: ["example.com/keep"] } });
    await assert.rejects(client.delete(ConfigMap, created.metadata, { preconditions: { uid: "other" } }), (error) =>
      isReason(error, "Conflict"),
    );
    const kept = await client.delete(ConfigMap, created.metadata, {
      preconditions: { uid: created.metadata.uid },
      propagationPolicy: "Background",
    });
    assert.ok(kept.kind === "ConfigMap" && kept.metadata.deletionTimestamp !== undefined);
    await client.mergePatch(ConfigMap, created.metadata, { metadata: { finalizers: null } });
    await assert.rejects(client.get(ConfigMap, created.metadata), (error) => isReason(error, "NotFound"));
    await createMaps(client, namespace, ["b"]);
    const gone = await client.delete(ConfigMap, `${namespace}/b`);
    assert.ok(gone.kind === "Status" && gone.status === "Success");
  },

  "deleteCollection deletes what is selected": async (client) => {
    const namespace = await freshNamespace(client);
    await createMaps(client, namespace, ["a", "b", "c"]);
    await client.deleteCollection(ConfigMap, { namespace, labelSelector: "set!=b" });
    const { items } = await client.list(ConfigMap, { namespace, ...ours });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ["b"],
    );
  },

  "a dry run changes nothing": async (client) => {
    const namespace = await freshNamespace(client);
    await client.create(ConfigMap, { metadata: { name: "a", namespace, labels: { set: "a" } } }, { dryRun: true });
    assert.equal((await client.list(ConfigMap, { namespace, ...ours })).items.length, 0);
    await createMaps(client, namespace, ["a"]);
    await client.delete(ConfigMap, `${namespace}/a`, { dryRun: true });
    assert.equal((await client.list(ConfigMap, { namespace, ...ours })).items.length, 1);
  },

  "strict field validation refuses what the kind has not": async (client) => {
    const namespace = await freshNamespace(client);
    const draft = { metadata: { name: "a", namespace }, dada: {} };
    await assert.rejects(client.create(DynamicConfigMap, draft, { fieldValidation: "Strict" }), (error) => {
      assert.ok(isReason(error, "BadRequest"));
      assert.match(error.message, /unknown field "dada"/);
      return true;
    });
  },

  "a service account gets a token": async (client) => {
    const namespace = await freshNamespace(client);
    await client.create(ServiceAccount, { metadata: { name: "robot", namespace } });
    const { status } = await client.createToken(`${namespace}/robot`, { expirationSeconds: 3600 });
    assert.equal(status?.token?.split(".").length, 3);
  },

  "the bytes that an informer reads are the server's": async (client) => {
    const namespace = await freshNamespace(client);
    await createMaps(client, namespace, ["a", "b"]);
    const { signal } = new AbortController();
    const source = client.listerWatcher(ConfigMap, { namespace, ...ours, metadataOnly: true });
    const page = JSON.parse(Buffer.from(await source.list({ limit: 1, signal })).toString()) as {
      readonly kind: string;
      readonly items: readonly KubeObject[];
    };
    assert.equal(page.kind, "PartialObjectMetadataList");
    assert.deepEqual(
      page.items.map(({ metadata }) => metadata.name),
      ["a"],
    );
    let text = "";
    for await (const piece of await source.watch({ resourceVersion: "0", allowWatchBookmarks: false, timeoutSeconds: 60, signal })) {
      text += Buffer.from(piece).toString();
      if (text.split("\n").length > 2) break;
    }
    const frames = text.trimEnd().split("\n");
    assert.equal(frames.length, 2);
    assert.ok(frames.every((frame) => frame.startsWith('{"type":"ADDED","object":{') && frame.includes('"PartialObjectMetadata"')));
  },

  "discovery finds kinds by what objects say of themselves, and by what users call them": async (client) => {
    const Deployments = await client.discovery.resourceOf({ apiVersion: "apps/v1", kind: "Deployment" });
    assert.ok(["status", "scale"].every((each) => Deployments.subresources.includes(each)));
    const namespace = await freshNamespace(client);
    await createDeployment(client, namespace, "web");
    assert.equal((await client.get(Deployments, `${namespace}/web`)).metadata.name, "web");
    const { resources, failures } = await client.discovery.all();
    assert.equal(failures.size, 0);
    assert.deepEqual({ ...resources.find(({ kind }) => kind === "Deployment") }, { ...Deployments, subresources: ["scale", "status"] });
    assert.equal((await client.discovery.find("cm")).kind, "ConfigMap");
    await assert.rejects(client.discovery.find("nope"), (error) => isReason(error, "NotFound"));
    assert.match((await client.discovery.version()).gitVersion, /^v1\./);
    assert.equal((await client.discovery.openApi("apps/v1"))["openapi"], "3.0.0");
  },

  "as another user a client is that user to the server, with its groups, and may do what that one may": async (client) => {
    const deployer = client.as("system:serviceaccount:shop:deployer");
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const { status } = await deployer.api.json<SelfSubjectReview>({ method: "POST", path, body: {} });
    const groups = ["system:authenticated", "system:serviceaccounts", "system:serviceaccounts:shop"];
    assert.deepEqual(status?.userInfo?.groups?.toSorted(), groups);
    const forbidden = /User "system:serviceaccount:shop:deployer" cannot list resource "configmaps"/;
    await assert.rejects(deployer.list(ConfigMap), (error) => isReason(error, "Forbidden") && forbidden.test(error.message));
  },

  "a kind that the server does not have is a NotFound": async (client) => {
    const Unknown = resource<DynamicObject>({
      group: "example.com",
      version: "v1",
      kind: "Unknown",
      plural: "unknowns",
      scope: "Cluster",
    });
    await assert.rejects(client.list(Unknown), (error) => isReason(error, "NotFound"));
  },
};

async function createMaps(client: KubeClient, namespace: string, names: readonly string[]): Promise<void> {
  for (const each of names) await client.create(ConfigMap, { metadata: { name: each, namespace, labels: { set: each } } });
}

function createDeployment(client: KubeClient, namespace: string, name: string): Promise<Deployment> {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name, image: `${name}:1` }] } };
  return client.create(Deployment, { metadata: { name, namespace }, spec: { replicas: 1, selector: { matchLabels: labels }, template } });
}
