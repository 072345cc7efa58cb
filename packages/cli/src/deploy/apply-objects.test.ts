import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { applyObjects } from "./apply-objects.ts";
import { ChangeReport } from "./change-report.ts";

test("what was put there for another operator is taken over with a warning, what nobody put there for one without", async () => {
  await using cluster = await startCluster({ controllers: [], nodes: 0 });
  const session = { client: cluster.client, cluster: "test", clock: systemClock, signal: new AbortController().signal };
  const said: string[] = [];
  const report = new ChangeReport({ out: () => {}, err: (text) => said.push(text) }, "text");
  const role = (labels: Readonly<Record<string, string>>) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "shared", labels },
  });
  const labelled = (operator: string) => role({ "app.kubernetes.io/managed-by": "kaji", "app.kubernetes.io/name": operator });
  await applyObjects(session, [role({})], { operator: "bars", report });
  await applyObjects(session, [labelled("bars")], { operator: "bars", report });
  await applyObjects(session, [labelled("bars")], { operator: "bars", report });
  assert.deepEqual(said, []);
  await applyObjects(session, [labelled("cars")], { operator: "cars", report });
  assert.deepEqual(said, ["warning: ClusterRole shared was put there for operator bars, and goes with cars from now on\n"]);
});
