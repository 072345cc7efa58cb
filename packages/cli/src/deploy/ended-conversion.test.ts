import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuthority } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { startCluster } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { seededRandom } from "@kaji/core/testing";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { applyObjects } from "./apply-objects.ts";
import { ChangeReport } from "./change-report.ts";
import { requireTakenDefinitions } from "./definitions.ts";

const spec = z.object({ text: z.string().default("hello") });
const v1 = { group: "example.com", version: "v1", kind: "Car", spec } as const;
const before = defineResource({ ...v1, versions: { v1alpha1: { spec } } }).crd();
const after = defineResource(v1).crd();
const service = { namespace: "cars-system", name: "cars-webhook", path: "/convert", port: 443 };
const called = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig: { service } } };

test("a definition that needs no conversion any more is applied, whoever has written the authority of the webhook", async () => {
  await using cluster = await startCluster({ controllers: [], nodes: 0 });
  const sessionOf = (dryRun: boolean): ClusterSession => ({
    client: new KubeClient(cluster.transport(), { fieldManager: "kaji", dryRun, onWarning: () => {} }),
    cluster: "test",
    clock: systemClock,
    signal: new AbortController().signal,
  });
  const lines: string[] = [];
  const scope = { operator: "cars", report: new ChangeReport({ out: (line) => void lines.push(line), err: () => {} }, "text") };
  const converted = { ...before, spec: { ...before.spec, conversion: called } };
  await applyObjects(sessionOf(false), [converted], scope);
  const { cert } = createAuthority("cars", { clock: systemClock, random: seededRandom(1) });
  const clientConfig = { caBundle: Buffer.from(cert).toString("base64") };
  const patch = { spec: { conversion: { webhook: { clientConfig } } } };
  await cluster.client.mergePatch(CustomResourceDefinition, "cars.example.com", patch, { fieldManager: "cars" });

  await requireTakenDefinitions(sessionOf(false), [after]);
  await applyObjects(sessionOf(true), [after], { ...scope, dryRun: true });
  assert.equal((await cluster.client.get(CustomResourceDefinition, "cars.example.com")).spec.versions.length, 2);

  await applyObjects(sessionOf(false), [after], scope);
  const { spec: live } = await cluster.client.get(CustomResourceDefinition, "cars.example.com");
  assert.deepEqual([live.conversion, live.versions.map(({ name }) => name)], [{ strategy: "None" }, ["v1"]]);
  assert.match(lines.at(-1) ?? "", /^changed {3}CustomResourceDefinition cars\.example\.com: .*spec\.conversion/);
});
