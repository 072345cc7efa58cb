import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "@kaji/cluster";
import type { ControlPlane } from "@kaji/cluster";
import { faultsContract } from "./faults-contract.ts";

faultsContract("the embedded server", async () => {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "kaji-faults-"));
  started.defer(() => rmSync(folder, { recursive: true }));
  const start = (port: number): Promise<ControlPlane> =>
    startControlPlane({ folder, port, storage: "sqlite", controllers: [], scheduler: false, nodes: 0 });
  let plane = await start(0);
  started.defer(() => plane[Symbol.asyncDispose]());
  const { kubeconfig, url } = plane;
  const all = started.move();
  return {
    kubeconfig,
    async restart() {
      await plane[Symbol.asyncDispose]();
      plane = await start(Number(new URL(url).port));
    },
    loseHistory() {
      const { storage } = plane.server.registry;
      storage.compact(storage.currentRevision);
      return Promise.resolve();
    },
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
});
