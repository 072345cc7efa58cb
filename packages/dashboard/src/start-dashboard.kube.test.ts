import assert from "node:assert/strict";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import { defineResource, z } from "@kaji/core/define";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ConfigMap, Pod } from "@kaji/types/core/v1";
import { startDashboard } from "./start-dashboard.ts";
import { openLog, openPage, untilListed } from "./testing/live-page.ts";

const Note = defineResource({
  group: "page.kaji.dev",
  version: "v1",
  kind: "Note",
  spec: z.object({ size: z.int32() }),
  columns: { Size: "spec.size" },
});

test("a real API server is shown as the embedded one: columns, owners, and each change with who made it", async () => {
  await using kube = await startKube();
  await using client = await createClient({ kubeconfig: kube.kubeconfig });
  await using dashboard = await startDashboard({ client, cluster: "real" });
  await using page = await openPage(dashboard.url, { kind: "notes.page.kaji.dev", object: "default/a" });
  await client.create(CustomResourceDefinition, Note.crd());
  await page.until(({ table }) => typeof table === "object");
  await untilListed(dashboard.url, ["configmaps"]);
  const metadata = { name: "a", namespace: "default" };
  const {
    apiVersion,
    kind,
    metadata: { uid = "" },
  } = await client.create(Note, { metadata, spec: { size: 1 } });
  await client.create(ConfigMap, { metadata: { ...metadata, ownerReferences: [{ apiVersion, kind, name: "a", uid }] } });
  await client.mergePatch(Note, "default/a", { spec: { size: 2 } }, { fieldManager: "somebody" });
  const state = await page.until(({ changes, rows }) => changes.length >= 3 && rows.get("default/a")?.cells[0] === "2");
  assert.deepEqual(typeof state.table === "object" ? state.table.columns : state.table, ["Size"]);
  const changed = state.changes.find(({ type }) => type === "Changed");
  assert.deepEqual(changed?.fields, [{ path: "spec.size", before: "1", after: "2", manager: "somebody" }]);
  assert.deepEqual(state.changes.map(({ type, object }) => `${type} ${object.kind}`).toSorted(), [
    "Changed Note",
    "Created ConfigMap",
    "Created Note",
  ]);
  await page.until(({ object }) => typeof object === "object" && object.tree?.children[0]?.kind === "ConfigMap");
});

test("[DB18] why a real API server cannot read a log is said in its words", async () => {
  await using kube = await startKube();
  await using client = await createClient({ kubeconfig: kube.kubeconfig });
  await using dashboard = await startDashboard({ client, cluster: "real" });
  const spec = { nodeName: "nowhere", containers: [{ name: "web", image: "web" }], automountServiceAccountToken: false };
  await client.create(Pod, { metadata: { name: "a", namespace: "default" }, spec });
  await using page = await openPage(dashboard.url, { kind: "pods", object: "default/a" });
  await page.until(({ object }) => typeof object === "object" && object.containers[0]?.name === "web");
  await using log = await openLog(dashboard.url, { pod: "default/a", container: "web" });
  const { link } = await log.until(({ link: { type } }) => type === "Failed");
  assert.match(link.type === "Failed" ? link.why : "", /^the log cannot be read: .*"nowhere" not found/);
});
