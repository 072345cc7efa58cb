import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { createClient } from "@kaji/client";
import { imagePrograms, startControlPlane } from "@kaji/cluster";
import { Pod } from "@kaji/types/core/v1";
import { providePrograms } from "@kaji-tools/kube";

const folder = mkdtempSync(join(tmpdir(), "kaji-kubectl-exec-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("kubectl exec runs commands where a program runs, with their input, output and exit code", async () => {
  const kubectl = join(await providePrograms(["kubectl"]), "kubectl");
  const programs = imagePrograms({ "example.com/web": [process.execPath, "-e", "setInterval(() => {}, 1000)"] });
  await using plane = await startControlPlane({ folder, storage: "memory", programs });
  await using client = await createClient({ kubeconfig: plane.kubeconfig });
  const exec = async (args: readonly string[], stdin = ""): Promise<readonly [number | null, string, string]> => {
    const child = spawn(kubectl, ["--kubeconfig", plane.kubeconfig, "exec", ...args]);
    child.stdin.end(stdin);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return [code, stdout, stderr];
  };
  for (const [name, image] of [
    ["web", "example.com/web"],
    ["seeming", "nginx"],
  ] as const) {
    const spec = { containers: [{ name, image, env: [{ name: "COLOR", value: "red" }] }], terminationGracePeriodSeconds: 0 };
    await client.create(Pod, { metadata: { name, namespace: "default" }, spec });
  }
  const running = new Set<string>();
  for await (const event of client.watch(Pod, { namespace: "default" })) {
    if (event.type !== "BOOKMARK" && event.object.status?.phase === "Running") running.add(event.object.metadata.name);
    if (running.size === 2) break;
  }

  const failed = await exec(["web", "--", "sh", "-c", "echo $COLOR; echo oh >&2; exit 7"]);
  assert.deepEqual(failed, [7, "red\n", "oh\ncommand terminated with exit code 7\n"]);
  const long = "0123456789".repeat(50_000);
  assert.deepEqual(await exec(["-i", "web", "--", "cat"], long), [0, long, ""]);
  assert.deepEqual(await exec(["seeming", "--", "echo", "hello"]), [0, "hello\n", ""]);
  const [code, , why] = await exec(["seeming", "--", "ls"]);
  assert.equal(code, 1);
  assert.match(why, /the container is simulated, and nobody has said what "ls" does in it/);
});
