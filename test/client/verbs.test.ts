import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeClient, createClient } from "@kaji/client";
import { startControlPlane } from "@kaji/cluster";
import type { ControlPlane } from "@kaji/cluster";
import { verbsContract } from "./verbs-contract.ts";
import type { TestServer } from "./verbs-contract.ts";

verbsContract("the embedded server, in one process", () => startEmbedded(async ({ server }) => new KubeClient(server.transport())));

verbsContract("the embedded server, over the network", () => startEmbedded(({ kubeconfig }) => createClient({ kubeconfig })));

async function startEmbedded(connect: (plane: ControlPlane) => Promise<KubeClient>): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "kaji-verbs-"));
  await using started = new AsyncDisposableStack();
  started.defer(() => rmSync(folder, { recursive: true }));
  const plane = started.use(await startControlPlane({ folder, storage: "memory", controllers: [], scheduler: false, nodes: 0 }));
  const client = started.use(await connect(plane));
  const all = started.move();
  return { client, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
}
