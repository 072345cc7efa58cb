import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterRoleBindings, clusterRoles, startPolicyServer } from "../testing/policy-server.ts";
import { bootstrapPolicy } from "./bootstrap-policy.ts";
import { reconcilePolicy } from "./reconcile-policy.ts";

const bootstrapped = {
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
};

test("a new server gets all roles and bindings, each with who made it", async () => {
  await using rbac = await startPolicyServer();
  await reconcilePolicy(rbac.server);
  const { storage } = rbac.server.registry;
  const count = ["roles", "rolebindings", "clusterroles", "clusterrolebindings"].reduce(
    (sum, plural) => sum + storage.count(`/registry/${plural}/`),
    0,
  );
  assert.equal(count, bootstrapPolicy().length);
  assert.equal(count, 69 + 50 + 7 + 7);
  const { metadata, rules } = await rbac.get(clusterRoles, "system:public-info-viewer");
  assert.partialDeepStrictEqual(metadata, bootstrapped);
  assert.match(metadata.uid ?? "", /^[0-9a-f-]{36}$/);
  assert.deepEqual(metadata.managedFields?.[0]?.manager, "kube-apiserver");
  assert.deepEqual(rules, [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"] }]);
});

test("a second start changes nothing", async () => {
  await using rbac = await startPolicyServer();
  await reconcilePolicy(rbac.server);
  const { storage } = rbac.server.registry;
  const before = storage.currentRevision;
  await reconcilePolicy(rbac.server);
  assert.equal(storage.currentRevision, before);
});

test("what is missing comes back, and what was added stays", async () => {
  await using rbac = await startPolicyServer();
  const { server, admin } = rbac;
  await reconcilePolicy(server);
  await admin.send("DELETE", `${clusterRoles}/system:discovery`);
  const extra = { verbs: ["get"], nonResourceURLs: ["/extra"] };
  await admin.send(
    "PATCH",
    `${clusterRoles}/system:basic-user`,
    { rules: [extra], metadata: { labels: { mine: "yes", "kubernetes.io/bootstrapping": null } } },
    "application/merge-patch+json",
  );
  await admin.send(
    "PATCH",
    `${clusterRoleBindings}/system:basic-user`,
    { subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }] },
    "application/merge-patch+json",
  );
  await reconcilePolicy(server);
  assert.equal((await rbac.get(clusterRoles, "system:discovery"))["aggregationRule"], undefined);
  const role = await rbac.get(clusterRoles, "system:basic-user");
  assert.deepEqual(role.metadata.labels, { mine: "yes", "kubernetes.io/bootstrapping": "rbac-defaults" });
  assert.deepEqual(role["rules"], [
    extra,
    { verbs: ["create"], apiGroups: ["authorization.k8s.io"], resources: ["selfsubjectaccessreviews"] },
    { verbs: ["create"], apiGroups: ["authorization.k8s.io"], resources: ["selfsubjectrulesreviews"] },
    { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
  ]);
  const { subjects } = await rbac.get(clusterRoleBindings, "system:basic-user");
  assert.deepEqual(
    (subjects as readonly { readonly name: string }[]).map(({ name }) => name),
    ["ann", "system:authenticated"],
  );
});

test("what says that it is not to be updated is left alone", async () => {
  await using rbac = await startPolicyServer();
  await reconcilePolicy(rbac.server);
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
  await rbac.admin.send(
    "PATCH",
    `${clusterRoles}/system:basic-user`,
    { rules: null, metadata: { annotations } },
    "application/merge-patch+json",
  );
  await reconcilePolicy(rbac.server);
  assert.equal((await rbac.get(clusterRoles, "system:basic-user"))["rules"], null);
});

test("a binding to another role is replaced", async () => {
  await using rbac = await startPolicyServer();
  const roleRef = { kind: "ClusterRole", name: "other", apiGroup: "rbac.authorization.k8s.io" };
  await rbac.admin.send("POST", clusterRoleBindings, { metadata: { name: "system:basic-user" }, roleRef });
  await reconcilePolicy(rbac.server);
  assert.partialDeepStrictEqual(await rbac.get(clusterRoleBindings, "system:basic-user"), { roleRef: { name: "system:basic-user" } });
});
