import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { startCluster } from "@kaji/cluster";
import { bodyFromBytes, isConditionTrue, isReason, systemClock } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ChangeReport } from "./change-report.ts";
import { applyObjects } from "./apply-objects.ts";
import { findDoomed, removeObjects } from "./remove-objects.ts";

test("a cluster that does not say what it serves is not taken for one that has nothing to remove", async () => {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", message: "you may not ask", code: 403 };
  const tools = { clock: new ManualClock(), random: seededRandom(1) };
  const client = new KubeClient(
    async () => ({ status: 403, headers: {}, body: bodyFromBytes(Buffer.from(JSON.stringify(status))) }),
    tools,
  );
  const session = { client, cluster: "test", clock: tools.clock, signal: new AbortController().signal };
  const report = new ChangeReport({ out: () => {}, err: () => {} }, "text");
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "bars", namespace: "bars-system" } };
  await assert.rejects(findDoomed(session, [deployment], { operator: "bars", report }), (error) => isReason(error, "Forbidden"));
});

test("definitions go together, so that objects of one may wait for those of another", async () => {
  await using cluster = await startCluster({ controllers: [], nodes: 0 });
  const { client } = cluster;
  const session = { client, cluster: "test", clock: systemClock, signal: new AbortController().signal };
  const scope = { operator: "shops", report: new ChangeReport({ out: () => {}, err: () => {} }, "text") };
  const spec = z.object({});
  const labels = { "app.kubernetes.io/managed-by": "kaji", "app.kubernetes.io/name": "shops" };
  const [Shop, Order] = ["Shop", "Order"].map((kind) => defineResource({ group: "example.com", version: "v1", kind, spec }));
  assert.ok(Shop && Order);
  const definitions = [Shop, Order].map((resource) => ({ ...resource.crd(), metadata: { ...resource.crd().metadata, labels } }));
  await applyObjects(session, definitions, scope);
  for (const { metadata } of definitions) {
    await client.waitFor(CustomResourceDefinition, metadata, ({ status }) => isConditionTrue(status?.conditions, "Established"));
  }
  const finalizers = ["example.com/orders"];
  await client.create(Shop, { metadata: { name: "a", namespace: "default", finalizers }, spec: {} });
  await client.create(Order, { metadata: { name: "a", namespace: "default" }, spec: {} });

  const removing = removeObjects(session, await findDoomed(session, definitions, scope), { ...scope, timeoutMs: 60_000 });
  // What an operator does that holds a shop back while there are orders.
  await client.waitForDeletion(Order, "default/a", { timeout: "30s" });
  await client.mergePatch(Shop, "default/a", { metadata: { finalizers: null } });
  await removing;
  assert.deepEqual((await client.list(CustomResourceDefinition)).items, []);
});
