import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { webhook } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { realCluster } from "./real-cluster.ts";

test("webhooks are not installed on a server that could not call them", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const kubeconfig = join(folder.path, "config");
  const server = "https://cluster.example.com:6443";
  const config = {
    clusters: [{ name: "far", cluster: { server } }],
    contexts: [{ name: "far", context: { cluster: "far", user: "me" } }],
    users: [{ name: "me", user: {} }],
    "current-context": "far",
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  await assert.rejects(realCluster({ kubeconfig, webhooks: [webhook(ConfigMap, { validate: () => {} })] }), {
    name: "TypeError",
    message: `realCluster(): the server ${server} is not on this machine, so that webhookHost has to say where it reaches webhooks that run here; or leave out webhooks and conversions`,
  });
});
