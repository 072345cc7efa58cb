import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startControlPlane } from "@kaji/cluster";
import { eventually } from "@kaji/core/testing";
import { startKube } from "@kaji-tools/kube";

const roles = fileURLToPath(new URL("manifests/auth-reconcile.yaml", import.meta.url));
const asAnn = ["--as", "ann"];

/** Each is asked after the one before. The first makes the roles that the others ask about, and the second does it again. */
const commands: readonly (readonly string[])[] = [
  ["auth", "reconcile", "-f", roles],
  ["auth", "reconcile", "-f", roles],
  ["auth", "can-i", "list", "configmaps", ...asAnn],
  ["auth", "can-i", "create", "configmaps", ...asAnn],
  ["auth", "can-i", "get", "secrets", ...asAnn],
  ["auth", "can-i", "get", "secrets/one", ...asAnn],
  ["auth", "can-i", "get", "pods", "--subresource=log", ...asAnn],
  ["auth", "can-i", "get", "/logs/today", ...asAnn],
  ["auth", "can-i", "get", "/healthz", ...asAnn],
  ["auth", "can-i", "*", "*", ...asAnn],
  ["auth", "can-i", "*", "*"],
  ["auth", "can-i", "list", "configmaps", "-n", "kube-system", ...asAnn],
  ["auth", "can-i", "--list", ...asAnn],
  ["auth", "can-i", "--list", "-n", "kube-system", ...asAnn],
  ["auth", "can-i", "--list", "-o", "yaml", ...asAnn],
  ["auth", "whoami", ...asAnn],
  ["auth", "whoami", "-o", "yaml", ...asAnn, "--as-group", "staff", "--as-uid", "7"],
];

test("kubectl auth prints with the embedded control plane what it prints with a real one", async () => {
  await using kube = await startKube();
  const real = await answers(kube.kubectl, kube.kubeconfig);
  const folder = mkdtempSync(join(tmpdir(), "kaji-kubectl-auth-"));
  try {
    await using plane = await startControlPlane({ folder, storage: "memory", controllers: [], scheduler: false, nodes: 0 });
    assert.deepEqual(await answers(kube.kubectl, plane.kubeconfig), real);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What is printed for each command, by the command. */
async function answers(kubectl: string, kubeconfig: string): Promise<readonly (readonly [string, string])[]> {
  const ask = (command: readonly string[]): Promise<string> => run(kubectl, ["--kubeconfig", kubeconfig, ...command]);
  const said: (readonly [string, string])[] = [];
  for (const command of commands) {
    said.push([command.join(" "), masked(await ask(command))]);
    // A real server takes a moment until new roles count: those of a namespace, and those of the cluster.
    if (said.length === 2) {
      for (const allowed of [
        ["list", "configmaps"],
        ["get", "/logs/today"],
      ]) {
        const question = ["auth", "can-i", ...allowed, ...asAnn];
        await eventually(`kubectl ${question.join(" ")} says yes`, async () => (await ask(question)).startsWith("yes"));
      }
    }
  }
  return said;
}

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, (error, stdout, stderr) => resolve(`${stdout}${stderr}exit ${error?.code ?? 0}`));
  });
}

/** Without what differs from one answer to the next. */
function masked(text: string): string {
  return text.replaceAll(/creationTimestamp: .*/g, "creationTimestamp: TIME");
}
