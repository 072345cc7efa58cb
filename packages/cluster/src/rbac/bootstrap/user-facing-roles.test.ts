import assert from "node:assert/strict";
import { test } from "node:test";
import { ClusterRole } from "@kaji/types/rbac/v1";
import { startCluster } from "../../start-cluster.ts";
import { userFacingRoles } from "./user-facing-roles.ts";

test("the roles that are meant for people have the rules that a cluster gathers for them", async () => {
  await using cluster = await startCluster({ nodes: 0, controllers: [] });
  await cluster.settled();
  const expected = userFacingRoles();
  assert.deepEqual(
    expected.map(({ metadata }) => metadata.name),
    ["admin", "cluster-admin", "edit", "view"],
  );
  for (const role of expected) {
    const { metadata, ...fields } = await cluster.client.get(ClusterRole, role.metadata.name ?? "");
    const { metadata: wanted, ...wantedFields } = role;
    assert.deepEqual(fields, wantedFields);
    assert.deepEqual([metadata.labels, metadata.annotations], [wanted.labels, wanted.annotations]);
  }
});
