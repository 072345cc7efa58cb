import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestRecord } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { isReason } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { Role, RoleBinding } from "@kaji/types/rbac/v1";
import { startCluster } from "../start-cluster.ts";

test("[AUTHZ6] of each request a test is told who asked for what, and by which binding and role it was allowed", async () => {
  const records: RequestRecord[] = [];
  const options = { clock: new ManualClock(), random: seededRandom(1), controllers: [], nodes: 0, scheduler: false };
  await using cluster = await startCluster({ ...options, observe: (record) => records.push(record) });
  const metadata = { name: "reader", namespace: "default" };
  await cluster.client.create(Role, { metadata, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }] });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" };
  await cluster.client.create(RoleBinding, {
    metadata,
    roleRef,
    subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
  });
  const ann = new KubeClient(cluster.transport({ username: "ann", groups: ["system:authenticated"] }), { clock: cluster.clock });
  await ann.list(ConfigMap, { namespace: "default" });
  await assert.rejects(ann.list(Secret, { namespace: "default" }), (error) => isReason(error, "Forbidden"));
  const decisions = records
    .filter(({ user }) => user?.username === "ann")
    .map(({ info, decision }) => [info.verb, info.type === "Resource" ? info.resource : info.path, decision?.allowed, decision?.grant]);
  const grant = { binding: { kind: "RoleBinding", namespace: "default", name: "reader" }, role: { kind: "Role", name: "reader" } };
  assert.deepEqual(decisions, [
    ["list", "configmaps", true, grant],
    ["list", "secrets", false, undefined],
  ]);
});
