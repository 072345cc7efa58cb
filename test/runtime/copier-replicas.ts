import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Kube } from "@kaji-tools/kube";
import type { KubeClient } from "@kaji/client";
import { isReason, systemClock } from "@kaji/core";
import { ConfigMap, Secret } from "@kaji/types/core/v1";

/** Where everything happens. */
export const copyingNamespace = "copies";

/** Processes of the operator, each with a user of its own, so that the server can tell them apart. */
export class CopierReplicas implements AsyncDisposable {
  readonly #folder: string;
  readonly #kube: Kube;
  readonly #flags: readonly string[];
  readonly #processes = new Map<string, ChildProcess>();

  constructor(folder: string, kube: Kube, flags: readonly string[]) {
    this.#folder = folder;
    this.#kube = kube;
    this.#flags = flags;
  }

  /** Resolves when the process has begun to work. */
  async start(name: string): Promise<void> {
    const kubeconfig = join(this.#folder, name);
    await writeFile(kubeconfig, impersonating(this.#kube, name));
    const program = join(import.meta.dirname, "copier-operator.ts");
    const flags = [
      ...this.#flags,
      `--leader-election-namespace=${copyingNamespace}`,
      `--namespaces=${copyingNamespace}`,
      "--log-level=warn",
    ];
    const args = [
      "--conditions=@kaji/source",
      program,
      ...flags,
      "--metrics-address=0",
      "--health-address=0",
      `--kubeconfig=${kubeconfig}`,
    ];
    const env = { ...process.env, HOSTNAME: name };
    const child = spawn(process.execPath, args, { stdio: ["inherit", "inherit", "inherit", "ipc"], env });
    this.#processes.set(name, child);
    await once(child, "message");
  }

  async kill(name: string): Promise<void> {
    const child = this.#processes.get(name);
    assert.ok(child !== undefined && child.exitCode === null, `${name} has ended by itself`);
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#processes.values()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
}

/** A kubeconfig for somebody who may do everything under another name. */
function impersonating({ server, ca, token }: Kube, name: string): string {
  const cluster = { server, "certificate-authority-data": Buffer.from(ca).toString("base64") };
  const user = { token, as: name, "as-groups": ["system:masters"] };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "kube", cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: "kube", user: name } }],
    "current-context": name,
  });
}

/** Makes something to do, about forty objects a second; resolves to their names. */
export async function load(client: KubeClient, signal: AbortSignal): Promise<readonly string[]> {
  const names: string[] = [];
  while (!signal.aborted) {
    const name = `load-${names.length}`;
    await client.create(ConfigMap, { metadata: { namespace: copyingNamespace, name, labels: { app: "load" } }, data: { text: name } });
    names.push(name);
    await systemClock.sleep(20);
  }
  return names;
}

/** Waits until each has its copy. */
export async function untilCopied(client: KubeClient, names: readonly string[]): Promise<void> {
  const deadlineMs = systemClock.monotonic() + 60_000;
  for (const name of names) {
    for (;;) {
      try {
        await client.get(Secret, { namespace: copyingNamespace, name });
        break;
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
        assert.ok(systemClock.monotonic() < deadlineMs, `${name} was left behind`);
        await systemClock.sleep(100);
      }
    }
  }
}
