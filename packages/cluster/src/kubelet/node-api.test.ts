import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { bodyText } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { Node, Pod } from "@kaji/types/core/v1";
import { startControlPlane } from "../start-control-plane.ts";
import type { ControlPlane } from "../start-control-plane.ts";
import type { NodeStats, PodStats } from "./node-stats.ts";
import { imagePrograms } from "./processes/image-programs.ts";

describe("nodes/proxy", () => {
  const folder = mkdtempSync(join(tmpdir(), "kaji-node-api-"));
  let plane: ControlPlane;
  let client: KubeClient;
  let send: Transport;

  before(async () => {
    const programs = imagePrograms({ busybox: ["sh"] });
    plane = await startControlPlane({ folder, storage: "memory", controllers: ["node-lifecycle-controller"], programs });
    client = await createClient({ kubeconfig: plane.kubeconfig, onWarning: () => {}, wrap: (transport) => (send = transport) });
    // It takes some of a processor before it waits.
    const busy = ["sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; sleep 1000"];
    const real = [{ name: "main", image: "busybox", command: busy }];
    await client.create(Pod, {
      metadata: { name: "real", namespace: "default" },
      spec: { containers: real, terminationGracePeriodSeconds: 0 },
    });
    await client.create(Pod, { metadata: { name: "sim", namespace: "default" }, spec: { containers: [{ name: "web", image: "nginx" }] } });
    const isRunning = new Set<string>();
    for await (const event of client.watch(Pod, { namespace: "default" })) {
      if (event.type !== "BOOKMARK" && event.object.status?.phase === "Running") isRunning.add(event.object.metadata.name);
      if (isRunning.size === 2) break;
    }
    const { body } = await send({ method: "GET", path: "/api/v1/namespaces/default/pods/real/log?follow=true", headers: {} });
    for await (const piece of body) if (String(Buffer.from(piece)).includes("done")) break;
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await plane[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  async function get(path: string, method: "GET" | "POST" = "GET"): Promise<{ readonly status: number; readonly text: string }> {
    const { status, body } = await send({ method, path: `/api/v1/nodes/${path}`, headers: {} });
    return { status, text: await bodyText(body) };
  }

  test("[PROXY6] the kubelet of a node tells that it is well, and which pods it has", async () => {
    const node = await nodeName();
    for (const id of [node, `${node}:10250`, `https:${node}:`]) {
      assert.deepEqual(await get(`${id}/proxy/healthz`), { status: 200, text: "ok" }, id);
    }
    const { items }: { readonly items: readonly Pod[] } = JSON.parse((await get(`${node}/proxy/pods`)).text);
    assert.deepEqual(items.map((pod) => pod.metadata.name).toSorted(), ["real", "sim"]);
    assert.equal((await get(`${node}/proxy/nothing`)).status, 404);
    assert.equal((await get(`${node}/proxy/healthz`, "POST")).status, 405);
    assert.equal((await get(`${node}:1/proxy/healthz`)).status, 503);
    assert.equal((await get("nobody/proxy/healthz")).status, 404);
  });

  test(
    "[PROXY7] it tells what processes use, and of what is simulated that it is there",
    { skip: process.platform !== "linux" },
    async () => {
      const node = await nodeName();
      const summary: NodeStats = JSON.parse((await get(`${node}/proxy/stats/summary`)).text);
      const of = (name: string): PodStats => summary.pods.find(({ podRef }) => podRef.name === name) ?? assert.fail(name);
      assert.ok((of("real").containers[0]?.cpu?.usageCoreNanoSeconds ?? 0) > 0);
      assert.ok((of("real").memory?.workingSetBytes ?? 0) > 100_000);
      assert.equal(summary.node.nodeName, node);
      assert.equal(summary.node.memory?.workingSetBytes, of("real").memory?.workingSetBytes);
      assert.deepEqual([of("sim").containers[0]?.name, of("sim").cpu], ["web", undefined]);
      const resource = (await get(`${node}/proxy/metrics/resource`)).text;
      assert.match(resource, /^# TYPE container_cpu_usage_seconds_total counter$/m);
      assert.match(resource, /^container_memory_working_set_bytes\{container="main",namespace="default",pod="real"\} \d{6,} \d+$/m);
      assert.match((await get(`${node}/proxy/metrics`)).text, /^kubelet_running_containers\{container_state="running"\} 2$/m);
    },
  );

  async function nodeName(): Promise<string> {
    const [node] = (await client.list(Node)).items;
    return node?.metadata.name ?? assert.fail("there is no node");
  }
});
