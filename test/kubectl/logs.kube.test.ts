import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { imagePrograms, startControlPlane } from "@kaji/cluster";
import { inTime } from "@kaji/core/testing";
import { Pod } from "@kaji/types/core/v1";
import { providePrograms } from "@kaji-tools/kube";

test("kubectl logs --follow prints lines as they come, over the network, and ends with the container", async () => {
  const kubectl = join(await providePrograms(["kubectl"]), "kubectl");
  const folder = mkdtempSync(join(tmpdir(), "kaji-kubectl-logs-"));
  try {
    const heard = join(folder, "heard");
    const talk = ["sh", "-c", `echo one; until [ -e ${heard} ]; do sleep 0.1; done; echo two`];
    const programs = imagePrograms({ "example.com/talk": talk });
    await using plane = await startControlPlane({ folder, storage: "memory", programs });
    await using client = await createClient({ kubeconfig: plane.kubeconfig });
    const spec = { restartPolicy: "Never" as const, containers: [{ name: "talk", image: "example.com/talk" }] };
    await client.create(Pod, { metadata: { name: "talk", namespace: "default" }, spec });
    const args = ["--kubeconfig", plane.kubeconfig, "logs", "--follow", "talk", "--pod-running-timeout=30s"];
    await inTime("the pod talk runs", untilStarted(client));
    const child = spawn(kubectl, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      // The container goes on, and ends, once its first line has come.
      writeFileSync(heard, "");
    }
    assert.deepEqual(lines, ["one", "two"]);
    assert.deepEqual(await ended, [0, null]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function untilStarted(client: Awaited<ReturnType<typeof createClient>>): Promise<void> {
  for await (const event of client.watch(Pod, { namespace: "default" })) {
    if (event.type !== "BOOKMARK" && event.object.status?.phase === "Running") return;
  }
}
