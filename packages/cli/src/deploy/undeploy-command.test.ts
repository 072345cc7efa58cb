import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { isConditionTrue } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Namespace } from "@kaji/types/core/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";

test("webhooks are called no more before that goes which answers them: nobody could write what they are about", async () => {
  using project = barProject({ hasWebhook: true });
  await using cluster = await clusterFor(project);
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig];
  assert.equal((await ran(["deploy", "--timeout", "0s", ...target])).code, 0);
  const { out } = await ran(["undeploy", "--yes", "--output", "json", ...target]);
  const removed = (JSON.parse(out) as readonly { readonly object: string }[]).map(({ object }) => object);
  const places = ["ValidatingWebhookConfiguration bars", "Service bars-system/bars-webhook", "Deployment bars-system/bars"].map((name) =>
    removed.indexOf(name),
  );
  assert.ok(
    places.every((place, index) => place > (places[index - 1] ?? -1)),
    removed.join("\n"),
  );
});

test("what only some deployments have goes too, also without being asked for by the same options", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project);
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "test" });
  const ServiceMonitor = defineResource({
    group: "monitoring.coreos.com",
    version: "v1",
    kind: "ServiceMonitor",
    spec: z.looseObject({}),
  });
  await client.create(CustomResourceDefinition, ServiceMonitor.crd());
  await client.waitFor(CustomResourceDefinition, "servicemonitors.monitoring.coreos.com", ({ status }) =>
    isConditionTrue(status?.conditions, "Established"),
  );
  // A namespace that was there before stays, and what is in it does not go with it.
  await client.create(Namespace, { metadata: { name: "bars-system" } });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig];
  const monitors = async (): Promise<number> => (await client.list(ServiceMonitor)).items.length;
  assert.equal((await ran(["deploy", "--timeout", "0s", "--service-monitor", ...target])).code, 0);
  assert.equal(await monitors(), 1);
  assert.equal((await ran(["undeploy", "--yes", ...target])).code, 0);
  assert.equal(await monitors(), 0);
});
