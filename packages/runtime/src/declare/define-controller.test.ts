import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectOf, Resource } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import type { DeepReadonly } from "@kaji/core/define";
import { byNamespace, metadataOf, without } from "@kaji/informer";
import { Deployment, StatefulSet } from "@kaji/types/apps/v1";
import { CertificateSigningRequest } from "@kaji/types/certificates/v1";
import { ConfigMap, Pod, Secret, ServiceAccount } from "@kaji/types/core/v1";
import type { AccessOf, NotDeclared } from "./access.ts";
import { owned, use, watch } from "./declarations.ts";
import { defineController } from "./define-controller.ts";
import type { ContextOf } from "./define-controller.ts";
import type { StatusOf, Writes } from "./reconcile-context.ts";
import { permissionsOf } from "./permissions.ts";
import { generationChanged } from "./predicate.ts";
import { requeueAfter } from "./result.ts";
import { every } from "../sources/every.ts";

const Bar = defineResource({
  group: "samplecontroller.example.com",
  version: "v1alpha1",
  kind: "Bar",
  spec: z.object({ deploymentName: z.string(), replicas: z.int32().min(0).default(1) }),
  status: z.object({ availableReplicas: z.int32().default(0), conditions: k.conditions() }),
});

test("[DEF1] the context offers the declared kinds with the declared verbs, and no others", () => {
  const controller = defineController(Bar, {
    owns: [Deployment],
    watches: [watch(Secret, { toKeys: (secret) => [`${secret.metadata.namespace}/${secret.metadata.name}`] })],
    uses: [use(ConfigMap, "get")],
    async reconcile(bar, { apply, setStatus, cache, client, live }) {
      const deployment = await apply(Deployment, { metadata: { name: bar.spec.deploymentName }, spec: { replicas: bar.spec.replicas } });
      await setStatus({ availableReplicas: deployment.status?.availableReplicas ?? 0 });
      await setStatus({ conditions: [{ type: "Ready", status: "True", reason: "Ready", message: "" }] });
      const read: readonly unknown[] = [cache.get(Secret, "a/b")?.data, cache.list(Bar).map(({ spec }) => spec.replicas)];
      assert.ok(read.concat((await live.get(ConfigMap, "a/b"))?.data));
      await client.delete(Deployment, deployment);

      // @ts-expect-error not declared
      await apply(Pod, { metadata: { name: "a" } });
      // @ts-expect-error watched, but not to be written
      await apply(Secret, { metadata: { name: "a" } });
      // @ts-expect-error not mirrored
      cache.get(ConfigMap, "a/b");
      // @ts-expect-error get only
      await live.list(ConfigMap);
      // @ts-expect-error get only
      await client.create(ConfigMap, { metadata: { name: "a" } });
      // @ts-expect-error get only
      await client.delete(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
      // @ts-expect-error owned kinds are patched unless update is declared
      await client.update(Deployment, { metadata: { name: "a" } });
      // @ts-expect-error only the status of the object itself is written
      await client.create(Bar, { metadata: { name: "a" }, spec: { deploymentName: "a" } });
      // @ts-expect-error no such field
      await setStatus({ available: 1 });
      // @ts-expect-error no evictions are declared
      await client.evict("a/b");
      // @ts-expect-error no bindings are declared
      await client.bind({ metadata: { name: "b", namespace: "a" } }, "node-1");
      // @ts-expect-error no commands are declared
      await client.exec("a/b", ["true"]);
      // @ts-expect-error no tokens are declared
      await client.createToken("a/b");
      // @ts-expect-error no logs are declared
      live.logs("a/b");
      return requeueAfter("30s");
    },
  });
  assert.equal(controller.name, "bar");
});

test("[DEF1] where a kind is not declared, the type that it should have says what to do", () => {
  type A = AccessOf<Pod, typeof Deployment, typeof Secret, never, never>;
  // Assigned both ways: they are the same.
  const applied = (declared: A["apply"]): Deployment | NotDeclared<"add the kind to owns"> => declared;
  const appliedToo: (kind: Deployment | NotDeclared<"add the kind to owns">) => A["apply"] = applied;
  const updated = (none: A["update"]): NotDeclared<"declare update in owns, watches, uses or selfVerbs"> => none;
  const read = (kind: Deployment | Pod | Secret | NotDeclared<"add the kind to owns or watches">): A["watch"] => kind;
  const evicted = (pod: Parameters<Writes<A>["evict"]>[0]): NotDeclared<"declare create/eviction in owns, watches, uses or selfVerbs"> =>
    pod;
  const stated = (status: StatusOf<ConfigMap>): NotDeclared<"add status: z.object({ … }) to the definition of the resource"> => status;
  assert.deepEqual(
    [appliedToo, updated, read, evicted, stated].map(({ length }) => length),
    [1, 1, 1, 1, 1],
  );
});

test("[DEF6] a kind by itself in watches is mirrored and may be read", () => {
  const { watches } = defineController(Bar, {
    watches: [Secret, watch(Pod, { labelSelector: "a=b" })],
    reconcile(_bar, { cache }) {
      assert.fail(JSON.stringify([cache.get(Secret, "a/b")?.data, cache.get(Pod, "a/b")?.spec]));
    },
  });
  assert.deepEqual(watches[0], watch(Secret));
  assert.equal(watches[1]?.labelSelector, "a=b");
});

test("[DEF7] a view stands where its kind may, and what it does not show cannot be read, nor the kind applied", () => {
  const podMetadata = metadataOf(Pod);
  const secretNames = without(Secret, "data", "stringData");
  const { owns, watches } = defineController(Bar, {
    owns: [owned(metadataOf(ConfigMap), { verbs: ["update"] })],
    watches: [watch(podMetadata, { toKeys: ({ metadata }) => [metadata.name], predicates: [generationChanged] }), secretNames],
    async reconcile(_bar, { apply, cache, client, live }) {
      const pod = cache.get(podMetadata, "a/b");
      assert.ok([pod?.metadata.labels, pod?.kind === "Pod", cache.get(secretNames, "a/b")?.type, (await live.get(Pod, "a/b"))?.spec]);
      await client.create(ConfigMap, { metadata: { name: "a" }, data: {} });
      for (const child of cache.owned(metadataOf(ConfigMap))) await client.delete(ConfigMap, child);

      // @ts-expect-error only the metadata is kept
      assert.ok(pod?.spec);
      // @ts-expect-error the data is not kept
      assert.ok(cache.get(secretNames, "a/b")?.data);
      // @ts-expect-error whole Pods are not mirrored
      cache.get(Pod, "a/b");
      // @ts-expect-error of Deployments nothing is mirrored
      cache.get(metadataOf(Deployment), "a/b");
      // @ts-expect-error what a ConfigMap has cannot be compared with what is wanted
      await apply(ConfigMap, { metadata: { name: "a" } });
      // @ts-expect-error another kind
      await client.delete(ConfigMap, cache.get(podMetadata, "a/b") ?? assert.fail());
    },
  });
  assert.deepEqual([owns[0]?.resource, owns[0]?.applied, watches[1]?.view], [ConfigMap, false, secretNames]);
  assert.throws(() => owned(metadataOf(ConfigMap), { applied: true }), /ConfigMap is a view here, and only whole objects can be applied/);
});

test("[DEF2] a part of an object is written with no more than the verb for that part", () => {
  const { selfVerbs } = defineController(CertificateSigningRequest, {
    name: "signer",
    watches: [watch(Pod, { verbs: ["patch/resize"] })],
    uses: [use(Deployment, "patch/status")],
    selfVerbs: ["update/approval"],
    async reconcile(request, { client }) {
      await client.update(CertificateSigningRequest, request, { subresource: "approval" });
      await client.mergePatch(Pod, "a/b", { spec: { containers: [] } }, { subresource: "resize" });
      await client.apply(Pod, { metadata: { name: "b", namespace: "a" } }, { subresource: "resize" });
      // @ts-expect-error no part is updated, nor the whole
      await client.update(Pod, { metadata: { name: "a" }, spec: { containers: [] } }, { subresource: "resize" });
      // @ts-expect-error of a Deployment the status alone is patched, and nothing updated
      await client.update(Deployment, { metadata: { name: "a" } }, { subresource: "approval" });
    },
  });
  assert.deepEqual(selfVerbs, ["update/approval"]);
});

test("[DEF11] [DEF12] [DEF13] Pods are bound, logs read and tokens made with the verb for just that", () => {
  const controller = defineController(Bar, {
    uses: [use(Pod, "create/binding", "get/log"), use(ServiceAccount, "create/token")],
    async reconcile(_bar, { client, live }) {
      await client.bind({ metadata: { name: "b", namespace: "a" } }, "node-1");
      for await (const line of live.logs("a/b", { tailLines: 1 })) assert.fail(line);
      assert.fail((await client.createToken("a/b", { expirationSeconds: 600 })).status?.token);
      // @ts-expect-error its log alone
      await live.get(Pod, "a/b");
      // @ts-expect-error the log as it is now
      live.logs("a/b", { follow: true });
      // @ts-expect-error tokens of it alone
      await client.create(ServiceAccount, { metadata: { name: "b" } });
    },
  });
  assert.deepEqual(
    permissionsOf([controller])
      .filter(({ resource }) => resource.includes("pods") || resource.includes("serviceaccounts"))
      .map(({ resource, verbs }) => [resource, ...verbs].join()),
    ["pods/binding,create", "pods/log,get", "serviceaccounts/token,create"],
  );
});

test("[DEF2] verbs beyond the usual ones are declared with the kind", () => {
  defineController(Bar, {
    owns: [owned(Deployment, { verbs: ["update"] })],
    watches: [watch(Pod, { verbs: ["patch", "create/binding", "create/eviction", "create/exec"] })],
    uses: [use(ConfigMap, "get", "create", "patch"), use(StatefulSet, "get/scale", "patch/scale")],
    selfVerbs: ["delete"],
    async reconcile(bar, { apply, client, live }) {
      await client.update(Deployment, { metadata: { name: "a" }, spec: { selector: {}, template: {} } });
      await client.mergePatch(Pod, "a/b", { metadata: { labels: { a: null } } });
      await client.create(ConfigMap, { metadata: { name: "a" } });
      await client.delete(Bar, bar);
      await client.bind({ metadata: { name: "b", namespace: "a" } }, "node-1");
      await client.evict("a/b");
      await client.exec("a/b", ["true"]);
      await client.scale(StatefulSet, "a/b", 1 + ((await live.getScale(StatefulSet, "a/b"))?.spec?.replicas ?? 0));
      // @ts-expect-error its scale alone
      await live.get(StatefulSet, "a/b");
      // @ts-expect-error it may be read and written, but not scaled
      await live.getScale(Deployment, "a/b");
      // @ts-expect-error it may be read and written, but not scaled
      await client.scale(Deployment, "a/b", 1);
      // @ts-expect-error it is not mirrored, so that it cannot be told whether there is anything to do
      await apply(ConfigMap, { metadata: { name: "a" } });
      // @ts-expect-error patch only
      await client.create(Pod, { metadata: { name: "a" }, spec: { containers: [] } });
      // @ts-expect-error patch only
      await client.update(Pod, { metadata: { name: "a" }, spec: { containers: [] } });
    },
  });
});

test("[DEF3] a helper takes the context of less than the controller has", () => {
  const scale = (_context: ContextOf<ObjectOf<typeof Bar>, readonly [typeof Deployment]>): void => undefined;
  defineController(Bar, {
    owns: [Deployment],
    watches: [watch(Secret)],
    reconcile(_bar, context) {
      scale(context);
    },
  });
});

test("[DEF4] code that several controllers share takes the context of a kind that it does not know", () => {
  async function share<T extends Deployment>(
    resource: Resource<T>,
    object: DeepReadonly<T>,
    context: ContextOf<T, readonly [typeof Pod]>,
  ): Promise<void> {
    await context.client.updateStatus<T>(resource, object as T);
    await context.client.create(Pod, { metadata: { name: "a" }, spec: { containers: [] } });
    assert.ok((await context.live.get(resource, "a/b"))?.spec);
  }
  defineController(Deployment, {
    name: "sharing",
    owns: [owned(Pod)],
    reconcile: (deployment, context) => share(Deployment, deployment, context),
  });
});

test("[DEF5] sources, indexes and predicates for any kind leave the kind of the object as it is", () => {
  defineController(Bar, {
    sources: [every("10m")],
    predicates: [generationChanged],
    indexes: [byNamespace],
    reconcile: (bar, { setStatus }) =>
      setStatus({ conditions: [{ type: bar.spec.deploymentName, status: "True", reason: "Is", message: "" }] }),
  });
});

test("[DEF8] a controller that could never do anything is refused, by its name and what is wrong", () => {
  const reconcile = (): void => {};
  for (const concurrency of [0, 1.5])
    assert.throws(
      () => defineController(Bar, { concurrency, reconcile }),
      /^TypeError: controller bar of .*: concurrency must be a whole number/,
    );
  for (const timeout of [0, "0s"])
    assert.throws(
      () => defineController(Bar, { timeout, reconcile }),
      /^TypeError: controller bar of .*: in a timeout of 0s? nothing can be done/,
    );
  const named = [{ name: "b".repeat(64) }, { name: "the bars" }, { finalizer: "example.com/" }];
  for (const options of named)
    assert.throws(
      () => defineController(Bar, { ...options, reconcile, finalize() {} }),
      /^TypeError: controller .* of .*: no object can have the finalizer \S*example.com\/.*: name part must .*; give it another name, or a finalizer/,
    );
  defineController(Bar, { name: "b".repeat(64), reconcile });
});

test("[DEF10] a controller that leaves its name in objects of a kind of others, or in children of them, has a name of its own", () => {
  const reconcile = (): void => {};
  const theirs = Bar.versions.v1alpha1;
  const refused = [
    () => defineController(theirs, { reconcile, finalize() {} }),
    () => defineController(theirs, { owns: [ConfigMap], reconcile }),
    () =>
      defineController(theirs, {
        selfVerbs: ["patch"],
        reconcile: async (_bar, { effect }) => effect("dns", { ensure: async () => null }).then(reconcile),
      }),
    () => defineController(Deployment, { owns: [owned(Pod, { applied: false }), ConfigMap], reconcile }),
  ];
  for (const define of refused)
    assert.throws(
      define,
      /^TypeError: controller (bar|deployment) of .*: the kind is not yours, so give it a name of your own, such as name: "acme-(bar|deployment)": /,
    );
  // Ours, with a name, and without anything that bears it.
  defineController(Bar, { owns: [ConfigMap], reconcile, finalize() {} });
  defineController(theirs, { name: "acme-bar", owns: [ConfigMap], reconcile, finalize() {} });
  defineController(theirs, { owns: [owned(Pod, { applied: false }), metadataOf(ConfigMap)], selfVerbs: ["delete"], reconcile });
});
