import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { systemClock } from "@kaji/core";
import { frontProxyFlags, providePrograms, startKube } from "@kaji-tools/kube";
import { defineResource, z } from "@kaji/core/define";
import { api, customMetric, externalMetric } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { realCluster } from "./real-cluster.ts";

const KeyCount = defineResource({
  group: "counts.kaji.dev",
  version: "v1",
  kind: "KeyCount",
  description: "How many keys a ConfigMap has.",
  fields: { keys: z.int32().describe("Their number."), hint: z.string().nullable().optional() },
});

const keyCounts = api(KeyCount, {
  watches: [ConfigMap],
  list: ({ cache, namespace, name }) =>
    cache
      .list(ConfigMap, { namespace })
      .filter(({ metadata }) => name === undefined || metadata.name === name)
      .map(({ metadata, data = {} }) => ({
        metadata: { name: metadata.name, namespace: metadata.namespace ?? "" },
        keys: Object.keys(data).length,
      })),
  columns: { Keys: ({ keys }) => keys },
});

const keys = externalMetric("keys", {
  watches: [ConfigMap],
  values: ({ cache, namespace }) =>
    cache
      .list(ConfigMap, { namespace })
      .map(({ metadata: { name }, data = {} }) => ({ labels: { map: name }, value: Object.keys(data).length })),
});

const keysOfMap = customMetric("keys", ConfigMap, {
  watches: [ConfigMap],
  values: ({ cache, namespace }) =>
    cache.list(ConfigMap, { namespace }).map((object) => ({ object, value: Object.keys(object.data ?? {}).length })),
});

test("[SRV2] kubectl reads the kinds and metrics of an operator through a real API server, and nobody gets past that", async (context) => {
  const program = join(await providePrograms(["kubectl"]), "kubectl");
  const folder = mkdtempSync(join(tmpdir(), "kaji-apis-"));
  context.after(() => rmSync(folder, { recursive: true }));
  await using kube = await startKube({ apiserverFlags: await frontProxyFlags(folder) });
  await using cluster = await realCluster({ kubeconfig: kube.kubeconfig, apis: [keyCounts, keys, keysOfMap], patience: "5m" });
  const kubectl = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, ["--kubeconfig", kube.kubeconfig, ...args])).stdout;
  await cluster.client.create(ConfigMap, { metadata: { name: "shop", namespace: "default" }, data: { a: "1", b: "2" } });
  await cluster.settled();

  assert.match(await kubectl("get", "keycounts", "shop"), /^NAME +KEYS\nshop +2\n$/);
  assert.match(await kubectl("get", "keycounts", "--all-namespaces"), /^NAMESPACE +NAME +KEYS\n(.*\n)*default +shop +2\n/);
  const one = ["get", "keycounts", "-o", "wide", "--chunk-size", "1", "--field-selector", "metadata.name=shop"];
  assert.match(await kubectl(...one, "--sort-by", ".keys"), /^NAME +KEYS\nshop +2\n$/);
  const notAllowed = /the server does not allow this method on the requested resource/;
  await assert.rejects(kubectl(...one, "--watch"), ({ stdout, stderr }) => {
    assert.match(stdout, /^NAME +KEYS\nshop +2\n$/);
    assert.match(stderr, notAllowed);
    return true;
  });
  assert.equal(await kubectl("get", "keycounts.counts.kaji.dev/shop", "-o", "jsonpath={.kind} {.keys}"), "KeyCount 2");
  assert.match(await kubectl("api-resources", "--api-group", "counts.kaji.dev"), /^keycounts +counts\.kaji\.dev\/v1 +true +KeyCount$/m);

  // The API server fetches documents at its leisure. The older one it reads and writes again, which it can only if it understands all of it.
  const explained = async (output: string): Promise<string> => kubectl("explain", "keycounts", "--output", output).catch(() => "");
  for (const output of ["plaintext", "plaintext-openapiv2"])
    for (let asked = 0; asked < 120 && !(await explained(output)).includes("Their number."); asked++) await systemClock.sleep(500);
  assert.match(await kubectl("explain", "keycounts", "--output", "plaintext-openapiv2"), /keys\t<integer> -required-\n +Their number\./);
  assert.match(
    await kubectl("explain", "keycounts"),
    /^GROUP: +counts\.kaji\.dev\nKIND: +KeyCount\n[^]*How many keys a ConfigMap has\.\n[^]*\n {2}keys\t<integer> -required-\n {4}Their number\./,
  );
  assert.match(await kubectl("explain", "keycounts.keys"), /FIELD: keys <integer>/);

  const path = "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/keys?labelSelector=map%3Dshop";
  const { items } = JSON.parse(await kubectl("get", "--raw", path));
  assert.deepEqual(
    items.map(({ metricName, value }: { metricName: string; value: string }) => [metricName, value]),
    [["keys", "2"]],
  );

  const ofMap = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/configmaps/shop/keys";
  assert.match(await kubectl("get", "--raw", ofMap), /"name":"shop".*"value":"2"/);

  await assert.rejects(
    kubectl("get", "keycounts", "--as", "guest"),
    /User "guest" cannot list resource "keycounts" in API group "counts\.kaji\.dev"/,
  );
  await assert.rejects(kubectl("delete", "keycounts", "shop"), notAllowed);
});
