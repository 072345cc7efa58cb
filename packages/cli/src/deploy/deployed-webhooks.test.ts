import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import type { Ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";
import type { TestProject } from "../testing/test-project.ts";

test("the API server is told to call webhooks when they are served, and not to before they no longer are", async () => {
  using project = barProject({ hasWebhook: true });
  using without = barProject();
  await using cluster = await clusterFor(project, { nodes: [] });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig });
  const deploy = async ({ folder }: TestProject, ...parameters: readonly string[]): Promise<Ran> =>
    ran(["deploy", ...parameters, "--project", folder, "--kubeconfig", cluster.kubeconfig]);
  const configurations = async (): Promise<readonly string[]> =>
    (await client.list(ValidatingWebhookConfiguration)).items.map(({ metadata }) => metadata.name);
  assert.equal((await deploy(project, "--timeout", "1ms")).code, 1);
  assert.deepEqual(await configurations(), []);
  assert.equal((await deploy(project, "--replicas", "0")).code, 0);
  assert.deepEqual(await configurations(), ["bars"]);

  const { out } = await deploy(without, "--replicas", "0");
  const lines = out.split("\n").filter((line) => /Webhook|Deployment|Service bars-system\/bars-webhook/.test(line));
  assert.deepEqual(lines, [
    "removed   ValidatingWebhookConfiguration bars",
    "changed   Deployment bars-system/bars: spec.template.spec.containers[manager].ports[webhook]",
    "kept      Service bars-system/bars-webhook: left over from an earlier version; --yes removes it",
  ]);
});
