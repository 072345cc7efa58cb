import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "@kaji/cluster";
import { testBarOperator } from "./bar-cases.ts";
import { openPlane } from "./kubeconfig-plane.ts";

testBarOperator("embedded, over TLS", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kaji-bar-"));
  const plane = await startControlPlane({ folder, storage: "memory", controllers: [], scheduler: false, nodes: 0 });
  return openPlane(plane.kubeconfig, {
    async [Symbol.asyncDispose]() {
      await plane[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  });
});
