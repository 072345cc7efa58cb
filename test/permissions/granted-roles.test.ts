import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import type { DeclaredPermission } from "@kaji/runtime";
import { PermissionError, explore, testCluster } from "@kaji/testing";
import type { ExploreOptions } from "@kaji/testing";
import { Role, RoleBinding } from "@kaji/types/rbac/v1";
import type { PolicyRule } from "@kaji/types/rbac/v1";

const Team = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Team", spec: z.object({ member: z.string() }) });
const team = { metadata: { name: "a", namespace: "default" }, spec: { member: "ann" } };
const apiGroup = "rbac.authorization.k8s.io";
const bare = { builtins: [], nodes: 0, scheduler: false };

/** Gives the member of each team the ClusterRole `edit`. */
const binding = (...permissions: readonly DeclaredPermission[]) =>
  defineController(Team, {
    owns: [RoleBinding],
    permissions,
    async reconcile({ metadata: { name, namespace = "" }, spec }, { apply }) {
      const subjects = [{ kind: "User", name: spec.member, apiGroup }];
      await apply(RoleBinding, { metadata: { name, namespace }, roleRef: { apiGroup, kind: "ClusterRole", name: "edit" }, subjects });
    },
  });

const toBind = { apiGroup, resource: "clusterroles", resourceNames: ["edit"], verbs: ["bind"] };

/** Makes a role of these rules for each team. */
const writing = (rules: readonly PolicyRule[], ...permissions: readonly DeclaredPermission[]) =>
  defineController(Team, {
    owns: [Role],
    permissions,
    async reconcile({ metadata: { name, namespace = "" } }, { apply }) {
      await apply(Role, { metadata: { name, namespace }, rules });
    },
  });

async function refusalOf(controller: ReturnType<typeof binding | typeof writing>): Promise<string> {
  const cluster = await testCluster({ ...bare, controllers: [controller] });
  await cluster.client.create(Team, team);
  const refused = await cluster.settled().then(
    () => undefined,
    (error: unknown) => error,
  );
  await cluster[Symbol.asyncDispose]();
  assert.ok(refused instanceof PermissionError);
  assert.match(refused.message, /\n {4}at .*granted-roles\.test\.ts:\d+:\d+/);
  return refused.message;
}

async function works(controller: ReturnType<typeof binding | typeof writing>): Promise<void> {
  await using cluster = await testCluster({ ...bare, controllers: [controller] });
  await cluster.client.create(Team, team);
  await cluster.settled();
}

test("[PER6] an operator that binds a role without the right to is told what to declare, and with that it works", async () => {
  const refusal = await refusalOf(binding());
  const wanted = `declare permissions: [{ apiGroup: "${apiGroup}", resource: "clusterroles", resourceNames: ["edit"], verbs: ["bind"] }] in controller team`;
  assert.ok(refusal.includes(` is attempting to grant RBAC permissions not currently held: ${wanted}`), refusal);
  await works(binding(toBind));
});

test("[PER6] one that writes a role is told the rights that it lacks of it, or where these are many, to declare that it may escalate", async () => {
  const rules = [
    { apiGroups: [""], resources: ["pods", "secrets"], verbs: ["get", "list"] },
    { apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["web"], verbs: ["patch"] },
  ];
  const pods = { apiGroup: "", resource: "pods", verbs: ["get", "list"] };
  const told = [
    '{ apiGroup: "", resource: "secrets", verbs: ["get", "list"] }',
    '{ apiGroup: "apps", resource: "deployments", resourceNames: ["web"], verbs: ["patch"] }',
  ];
  const refusal = await refusalOf(writing(rules, pods));
  assert.ok(refusal.includes(`: add to the permissions: [${told.join(", ")}] in controller team`), refusal);
  const others = [
    { apiGroup: "", resource: "secrets", verbs: ["get", "list"] },
    { apiGroup: "apps", resource: "deployments", resourceNames: ["web"], verbs: ["patch"] },
  ];
  await works(writing(rules, pods, ...others));

  const wide = [{ apiGroups: [""], resources: ["a", "b", "c", "d", "e", "f", "g"], verbs: ["get"] }];
  const escalating = `declare permissions: [{ apiGroup: "${apiGroup}", resource: "roles", verbs: ["escalate"] }]`;
  assert.ok((await refusalOf(writing(wide))).includes(escalating));
  await works(writing(wide, { apiGroup, resource: "roles", verbs: ["escalate"] }));
});

test("[WLD3] an operator that gives users the role edit is explored, and told there too what it does not declare", async () => {
  const options: Omit<ExploreOptions, "controllers"> = {
    ops: (user) => [user.create(Team, team), user.mergePatch(Team, "default/a", { spec: { member: "bob" } })],
    runs: 40,
  };
  await explore({ ...options, controllers: [binding(toBind)] }).expectNoViolations();
  const { report } = await explore({ ...options, controllers: [binding()], findings: 1 });
  assert.match(
    report,
    /not currently held: declare permissions: \[\{ apiGroup: "rbac\.authorization\.k8s\.io", resource: "clusterroles", resourceNames: \["edit"\]/,
  );
});
