import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "@kaji/cluster";
import { faultsContract } from "./faults-contract.ts";

faultsContract("the embedded server", async () => {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "kaji-faults-"));
  started.defer(() => rmSync(folder, { recursive: true }));
  const { kubeconfig } = started.use(await startControlPlane({ folder, storage: "memory", controllers: [], scheduler: false, nodes: 0 }));
  const all = started.move();
  return { kubeconfig, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
});
