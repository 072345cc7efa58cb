import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { isReason } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { OtherClusters, defineController, fromClusters } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Notice = defineResource({ group: "shop.example.com", version: "v1", kind: "Notice", spec: z.object({ text: z.string() }) });

/** Another cluster, as far as it is asked: it keeps what is applied, and cannot be watched. */
class SimulatedEdge {
  readonly objects: Map<string, string> = new Map();

  async send(method: string, path: string, text: string): Promise<{ readonly status: number; readonly text: string }> {
    const [address = ""] = path.split("?");
    if (method === "PATCH") this.objects.set(address, text);
    const isThere = method === "PATCH" || (method === "DELETE" && this.objects.delete(address));
    const status = { apiVersion: "v1", kind: "Status", status: "Failure", reason: "NotFound", code: 404 };
    return isThere ? { status: 200, text: method === "PATCH" ? text : "{}" } : { status: 404, text: JSON.stringify(status) };
  }
}

/** The way to it; each request is a call that can go wrong. */
function transportTo(edge: SimulatedEdge): Transport {
  return async ({ method, path, body = new Uint8Array() }) => {
    const { status, text } = await edge.send(method, path, Buffer.from(body).toString());
    return { status, headers: { "content-type": "application/json" }, body: pieces(text) };
  };
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function noticeController(edge: SimulatedEdge, { forgets }: { readonly forgets: boolean }): Controller {
  const clusters = new OtherClusters({ connect: async (_name, _kubeconfig, tools) => new KubeClient(transportTo(edge), tools) });
  return defineController(Notice, {
    sources: [fromClusters(clusters)],
    async reconcile({ metadata: { name }, spec }, { signal }) {
      const cluster = await clusters.connect("edge", "");
      await cluster.apply(ConfigMap, { metadata: { name, namespace: "default" }, data: { text: spec.text } }, { signal });
    },
    async finalize({ metadata: { name } }, { signal }) {
      const cluster = await clusters.connect("edge", "");
      await cluster.client.delete(ConfigMap, { name, namespace: "default" }, { signal }).catch((error: unknown) => {
        if (!forgets && !isReason(error, "NotFound")) throw error;
      });
    },
  });
}

const explored = (forgets: boolean) =>
  explore({
    external: () => new SimulatedEdge(),
    controllers: (edge) => [noticeController(edge, { forgets })],
    ops: (user) => [
      user.create(Notice, { metadata: { name: "sale", namespace: "default" }, spec: { text: "soon" } }),
      user.mergePatch(Notice, "default/sale", { spec: { text: "now" } }),
      user.delete(Notice, "default/sale"),
    ],
    runs: 60,
    findings: 1,
  });

test("[OUT9] another cluster is explored as what is outside: each request to it can go wrong, and what it holds is compared", async () => {
  assert.deepEqual((await explored(false)).findings, []);
  const [finding] = (await explored(true)).findings;
  assert.match(finding?.violation.message ?? "", /sale/);
});
