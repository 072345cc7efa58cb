import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { startControlPlane } from "@kaji/cluster";
import { Pod } from "@kaji/types/core/v1";
import { providePrograms } from "@kaji-tools/kube";

test("kubectl logs --follow prints lines as they come, over the network, and ends with the container", async () => {
  const kubectl = join(await providePrograms(["kubectl"]), "kubectl");
  const folder = mkdtempSync(join(tmpdir(), "kaji-kubectl-logs-"));
  try {
    await using plane = await startControlPlane({ folder, storage: "memory" });
    await using client = await createClient({ kubeconfig: plane.kubeconfig });
    const command = ["sh", "-c", "echo one; sleep 2; echo two"];
    const spec = { restartPolicy: "Never" as const, containers: [{ name: "talk", image: "busybox", command }] };
    await client.create(Pod, { metadata: { name: "talk", namespace: "default" }, spec });
    const args = ["--kubeconfig", plane.kubeconfig, "logs", "--follow", "talk", "--pod-running-timeout=30s"];
    await untilStarted(client);
    const child = spawn(kubectl, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    const lines: string[] = [];
    let isRunningAtFirst: boolean | undefined;
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      isRunningAtFirst ??= (await client.get(Pod, "default/talk")).status?.phase === "Running";
    }
    assert.deepEqual(lines, ["one", "two"]);
    assert.equal(isRunningAtFirst, true, "the first line came before the end");
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
