import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, use } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { ClusterRole, RoleBinding } from "@kaji/types/rbac/v1";
import { GrantUse } from "./grant-use.ts";
import { PermissionError } from "./operator-access.ts";
import { testCluster } from "./test-cluster.ts";

const Lamp = defineResource({ group: "light.example.com", version: "v1", kind: "Lamp", spec: z.object({ isOn: z.boolean() }) });
const lamp = (name: string, isOn: boolean) => ({ metadata: { name, namespace: "default" }, spec: { isOn } });
const bare = { builtins: [], nodes: 0, scheduler: false };

test("what a controller does not declare fails the test, with the line that did it and what to add", async () => {
  const controller = defineController(Lamp, {
    async reconcile({ metadata }, { client }) {
      // As plain JavaScript would: the compiler does not let it through.
      await client.create(Secret as never, { metadata: { name: metadata.name, namespace: "default" } });
    },
  });
  const cluster = await testCluster({ ...bare, controllers: [controller] });
  await cluster.client.create(Lamp, lamp("a", true));
  await assert.rejects(cluster.settled(), (error: unknown) => {
    assert.ok(error instanceof PermissionError);
    assert.match(error.message, /controller lamp does not declare create of .*Secret: add use\(Secret, "create"\) to its uses/);
    assert.match(error.message, /\n {4}at .*least-privilege\.test\.ts:\d+:\d+/);
    return true;
  });
  await cluster[Symbol.asyncDispose]();
});

test("what is refused by the API server fails the test likewise, at the latest at its end", async () => {
  const controller = defineController(Lamp, {
    uses: [use(Secret, "create")],
    async reconcile({ metadata }, { client }) {
      await client.create(Secret, { metadata: { name: metadata.name, namespace: "default" } });
    },
  });
  const cluster = await testCluster({ ...bare, controllers: [controller] });
  // Somebody took the right away.
  await cluster.client.mergePatch(ClusterRole, "operator", { rules: [] });
  await cluster.client.create(Lamp, lamp("a", true));
  const wanted = /the operator may not create secrets in the namespace default: controller lamp: write use\(Secret, "create"/;
  await assert.rejects(cluster.settled(), wanted);
});

test("an apply that makes an object needs the verb for that too, which is told where it is missing, and counts where it is there", async () => {
  const applying = (...verbs: readonly ("create" | "patch")[]) =>
    defineController(Lamp, {
      uses: [use(Secret, "patch", ...verbs)],
      async reconcile({ metadata: { name } }, { client }) {
        await client.apply(Secret, { metadata: { name, namespace: "default" } });
      },
    });
  const refused = await testCluster({ ...bare, controllers: [applying()] });
  await refused.client.create(Lamp, lamp("a", true));
  const missing = /the operator may not create secrets in the namespace default: controller lamp: write use\(Secret, "patch", "create"/;
  await assert.rejects(refused.settled(), missing);
  await using cluster = await testCluster({ ...bare, controllers: [applying("create")] });
  await cluster.client.create(Lamp, lamp("a", true));
  await cluster.settled();
  assert.deepEqual(cluster.unusedGrants(), []);
});

test("grants that nothing has needed are listed, over all clusters of a suite", async () => {
  const controller = defineController(Lamp, {
    owns: [ConfigMap],
    uses: [use(Secret, "get", "create", "delete")],
    selfVerbs: ["update"],
    async reconcile({ metadata, spec }, { client, live, apply }) {
      if (spec.isOn) await apply(ConfigMap, { metadata: { name: metadata.name, namespace: "default" } });
      else if ((await live.get(Secret, "default/key")) === undefined)
        await client.create(Secret, { metadata: { name: "key", namespace: "default" } });
    },
  });
  const grants = new GrantUse();
  const used = async (isOn: boolean) => {
    await using cluster = await testCluster({ ...bare, controllers: [controller], grants });
    await cluster.client.create(Lamp, lamp("a", isOn));
    await cluster.settled();
    return cluster.unusedGrants();
  };
  const self = { controller: "lamp", field: "selfVerbs", resource: "lamps.light.example.com", verbs: ["update"] };
  const secrets = { controller: "lamp", field: "uses", resource: "secrets" };
  assert.deepEqual(await used(true), [self, { ...secrets, verbs: ["get", "create", "delete"] }]);
  assert.deepEqual(await used(false), [self, { ...secrets, verbs: ["delete"] }]);
});

test("who gives a role to others says in permissions that it may, for that role alone", async () => {
  const Team = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Team", spec: z.object({ role: z.string() }) });
  const controller = defineController(Team, {
    owns: [RoleBinding],
    permissions: [{ apiGroup: "rbac.authorization.k8s.io", resource: "clusterroles", resourceNames: ["view"], verbs: ["bind"] }],
    async reconcile({ metadata, spec }, { apply }) {
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: spec.role };
      await apply(RoleBinding, { metadata: { name: metadata.name }, roleRef, subjects: [] });
    },
  });
  await using cluster = await testCluster({ controllers: [controller] });
  for (const role of ["view", "edit"]) {
    await cluster.client.create(Team, { metadata: { name: role, namespace: "default" }, spec: { role } });
  }
  await assert.rejects(cluster.settled(), PermissionError);
  assert.equal((await cluster.client.get(RoleBinding, "default/view")).roleRef.name, "view");
  await assert.rejects(cluster.client.get(RoleBinding, "default/edit"), { reason: "NotFound" });
});
