import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { isReason } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { APIService } from "@kaji/types/apiregistration/v1";
import { ConfigMap, Service } from "@kaji/types/core/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { startDev } from "../testing/running-dev.ts";
import { emptyProject } from "../testing/test-project.ts";
import type { TestProject } from "../testing/test-project.ts";

const one = { apiVersion: "counts.example.com/v1", kind: "KeyCount", metadata: { name: "one", namespace: "default" } };

/** A project with an operator that serves how many keys ConfigMaps have. */
async function keyCounts(): Promise<TestProject> {
  const project = emptyProject();
  await ran(["init", "bars", "--kind", "Bar", "--folder", project.folder, "--yes"]);
  project.write(
    "src/key-counts.ts",
    `import { api, resource } from "kaji";
import type { KubeObject } from "kaji";
import { ConfigMap } from "kaji/core/v1";

interface KeyCount extends KubeObject {
  readonly keys: number;
}
const KeyCount = resource<KeyCount>({ group: "counts.example.com", version: "v1", kind: "KeyCount", plural: "keycounts", scope: "Namespaced" });

export const keyCounts = api(KeyCount, {
  watches: [ConfigMap],
  list: ({ cache, namespace }) =>
    cache.list(ConfigMap, { namespace }).map(({ metadata: { name, namespace: place = "" }, data = {} }) => ({
      metadata: { name, namespace: place },
      keys: Object.keys(data).length,
    })),
});
`,
  );
  const operator = join(project.folder, "src/operator.ts");
  const text = readFileSync(operator, "utf8").replace("controllers: [", "apis: [keyCounts],\n  controllers: [");
  writeFileSync(operator, `import { keyCounts } from "./key-counts.ts";\n${text}`);
  return project;
}

test("the API of an operator under development is asked through the cluster's, which knows it by its certificate", async () => {
  using project = await keyCounts();
  await using dev = await startDev(["--project", project.folder]);
  await dev.said(/created +APIService v1\.counts\.example\.com\n/);
  await dev.said(/webhooks can be called: the API server knows their authority now kind=APIService/);
  await using client = await createClient({ kubeconfig: dev.kubeconfig, fieldManager: "test" });
  await client.create(ConfigMap, { metadata: { name: "one", namespace: "default" }, data: { a: "1", b: "2" } });
  await client.waitFor(APIService, "v1.counts.example.com", isAvailable, { timeout: "20s" });
  const KeyCount = await client.discovery.resourceOf(one);
  const counted: DynamicObject = await client.get(KeyCount, "default/one");
  assert.deepEqual(counted, { ...one, keys: 2 });
  const { out } = await ran(["doctor", "--project", project.folder, "--kubeconfig", dev.kubeconfig]);
  assert.match(out, /^ok {7}APIService v1\.counts\.example\.com: trusts an authority that is good for \d+ days$/m);
  assert.match(out, /^ok {7}Service bars-system\/bars-webhook: leads to "127\.0\.0\.1"$/m);
  assert.match(out, /^ok {7}Deployment bars-system\/bars: is not there: kaji dev has the operator called at https:\/\/127\.0\.0\.1:\d+$/m);
  assert.doesNotMatch(out, /^problem/m);
  assert.equal(await dev.stop("SIGINT"), 0);
});

test("a cluster that is there asks this machine as long as the operator is developed, and nobody after that", async () => {
  using project = await keyCounts();
  await using cluster = await clusterFor(project, { nodes: [] });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "test" });
  const on = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig, "--context", "kaji"] as const;
  {
    await using dev = await startDev([...on, "--webhook-host", "127.0.0.1"]);
    await dev.said(/webhooks can be called: the API server knows their authority now kind=APIService/);
    await client.waitFor(APIService, "v1.counts.example.com", isAvailable, { timeout: "20s" });
    assert.equal(await dev.stop("SIGINT"), 0);
  }
  await assert.rejects(client.get(APIService, "v1.counts.example.com"), (error) => isReason(error, "NotFound"));
  await assert.rejects(client.get(Service, "bars-system/bars-webhook"), (error) => isReason(error, "NotFound"));
});

function isAvailable({ status }: APIService): boolean {
  return status?.conditions?.some(({ type, status: state }) => type === "Available" && state === "True") ?? false;
}
