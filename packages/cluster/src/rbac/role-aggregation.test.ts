import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import type { AdmissionPlugin } from "@kaji/apiserver";
import { refusal } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createApiServer } from "../create-api-server.ts";
import { LocalApi } from "../upkeep/local-api.ts";
import { dyingAfter } from "../testing/dying-transport.ts";
import { reconcilePolicy } from "./bootstrap/reconcile-policy.ts";
import { RoleAggregation } from "./role-aggregation.ts";
import { rule } from "./testing/policy-objects.ts";
import { clusterRoles, startPolicyServer } from "./testing/policy-server.ts";
import type { PolicyServer } from "./testing/policy-server.ts";

function aggregate({ server }: PolicyServer): RoleAggregation {
  return server.use(new RoleAggregation(server, new LocalApi(server.transport(), "clusterrole-aggregation-controller")));
}

const gathering = (name: string, label: string, labels: Readonly<Record<string, string>> = {}) => ({
  metadata: { name, labels },
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: "true" } }] },
});

test("an aggregated role has the rules of those it selects, in the order of their names, each once", async () => {
  await using rbac = await startPolicyServer();
  const aggregation = aggregate(rbac);
  const [pods, nodes] = [rule("core", "pods", "get"), rule("core", "nodes", "get")];
  await rbac.admin.send("POST", clusterRoles, gathering("sum", "x"));
  await rbac.admin.send("POST", clusterRoles, { metadata: { name: "b", labels: { x: "true" } }, rules: [nodes, pods] });
  await rbac.admin.send("POST", clusterRoles, { metadata: { name: "a", labels: { x: "true" } }, rules: [pods] });
  await rbac.admin.send("POST", clusterRoles, { metadata: { name: "c", labels: { x: "false" } }, rules: [rule("core", "secrets", "get")] });
  await aggregation.settled();
  const sum = await rbac.get(clusterRoles, "sum");
  assert.deepEqual(sum["rules"], [
    { verbs: ["get"], apiGroups: [""], resources: ["pods"] },
    { verbs: ["get"], apiGroups: [""], resources: ["nodes"] },
  ]);
  assert.partialDeepStrictEqual(
    sum.metadata.managedFields?.find(({ operation }) => operation === "Apply"),
    { manager: "clusterrole-aggregation-controller" },
  );
});

test("it follows labels that change, roles that go, and roles that are gathered themselves", async () => {
  await using rbac = await startPolicyServer();
  const aggregation = aggregate(rbac);
  const count = async (name: string): Promise<number> => {
    await aggregation.settled();
    const { rules } = await rbac.get(clusterRoles, name);
    return Array.isArray(rules) ? rules.length : 0;
  };
  await rbac.admin.send("POST", clusterRoles, gathering("outer", "y"));
  await rbac.admin.send("POST", clusterRoles, gathering("inner", "x", { y: "true" }));
  await rbac.admin.send("POST", clusterRoles, { metadata: { name: "a", labels: { x: "true" } }, rules: [rule("core", "pods", "get")] });
  assert.deepEqual([await count("inner"), await count("outer")], [1, 1]);
  await rbac.admin.send("PATCH", `${clusterRoles}/a`, { metadata: { labels: { x: null } } }, "application/merge-patch+json");
  assert.deepEqual([await count("inner"), await count("outer")], [0, 0]);
  await rbac.admin.send("PATCH", `${clusterRoles}/a`, { metadata: { labels: { x: "true" } } }, "application/merge-patch+json");
  assert.deepEqual([await count("inner"), await count("outer")], [1, 1]);
  await rbac.admin.send("DELETE", `${clusterRoles}/a`);
  assert.deepEqual([await count("inner"), await count("outer")], [0, 0]);
});

test("admin, edit and view have their rules once a server has its policy", async () => {
  await using rbac = await startPolicyServer();
  await reconcilePolicy(rbac.server);
  await aggregate(rbac).settled();
  for (const [name, count] of [
    ["view", 12],
    ["edit", 27],
    ["admin", 29],
  ] as const) {
    const { rules } = await rbac.get(clusterRoles, name);
    assert.equal(Array.isArray(rules) ? rules.length : 0, count, name);
  }
});

test("what is refused is tried again", async () => {
  let isRefusing = true;
  const clock = new ManualClock();
  const refusing: AdmissionPlugin = {
    name: "Refusing",
    validate: ({ operation }) => {
      if (isRefusing && operation === "UPDATE") throw refusal("Forbidden", "not now");
    },
  };
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1), admission: [refusing] });
  const api = new LocalApi(server.transport(), "admin");
  const aggregation = server.use(new RoleAggregation(server, api));
  await api.send("POST", clusterRoles, gathering("sum", "x"));
  await api.send("POST", clusterRoles, { metadata: { name: "a", labels: { x: "true" } }, rules: [rule("core", "pods", "get")] });
  await aggregation.settled();
  isRefusing = false;
  await clock.advance(1000);
  await aggregation.settled();
  assert.deepEqual((await api.send("GET", `${clusterRoles}/sum`))["rules"], [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }]);
});

test("once it is disposed of, nothing changes any more", async () => {
  await using rbac = await startPolicyServer();
  const aggregation = aggregate(rbac);
  await rbac.admin.send("POST", clusterRoles, gathering("sum", "x"));
  await aggregation.settled();
  aggregation[Symbol.dispose]();
  await rbac.admin.send("POST", clusterRoles, { metadata: { name: "a", labels: { x: "true" } }, rules: [rule("core", "pods", "get")] });
  await aggregation.settled();
  assert.equal((await rbac.get(clusterRoles, "sum"))["rules"], null);
});

test("aggregated roles come out right whichever write the controller is killed after", async () => {
  const member = (name: string, resource: string) => ({
    metadata: { name, labels: { x: "true" } },
    rules: [rule("core", resource, "get")],
  });
  for (let writes = 0; ; writes++) {
    await using rbac = await startPolicyServer();
    const death = dyingAfter(writes, rbac.server.transport());
    {
      using first = new RoleAggregation(rbac.server, new LocalApi(death.transport, "clusterrole-aggregation-controller"));
      await rbac.admin.send("POST", clusterRoles, gathering("outer", "y"));
      await rbac.admin.send("POST", clusterRoles, gathering("inner", "x", { y: "true" }));
      await rbac.admin.send("POST", clusterRoles, member("a", "pods"));
      await Promise.race([first.settled(), death.died]);
      await rbac.admin.send("POST", clusterRoles, member("b", "nodes"));
      await Promise.race([first.settled(), death.died]);
      await rbac.admin.send("DELETE", `${clusterRoles}/a`);
      await Promise.race([first.settled(), death.died]);
    }
    await aggregate(rbac).settled();
    for (const name of ["inner", "outer"]) {
      const { rules } = await rbac.get(clusterRoles, name);
      assert.deepEqual(rules, [{ verbs: ["get"], apiGroups: [""], resources: ["nodes"] }], `${name}, killed after ${writes + 1} writes`);
    }
    if (!death.isDead()) break;
  }
});
