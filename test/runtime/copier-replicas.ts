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

/**
 * Processes of the operator, each with a user of its own, so that the server can tell them apart. One that ends because it may have lost its lease, as on a machine that stood still for
 * too long, is started again, as a Deployment would.
 */
export class CopierReplicas implements AsyncDisposable {
  readonly #folder: string;
  readonly #kube: Kube;
  readonly #flags: readonly string[];
  /** The processes that are to run. */
  readonly #processes = new Map<string, ChildProcess>();
  /** What those said that ended for another reason. */
  readonly #failures: string[] = [];

  constructor(folder: string, kube: Kube, flags: readonly string[]) {
    this.#folder = folder;
    this.#kube = kube;
    this.#flags = flags;
  }

  /** Resolves when the process has begun to work. */
  async start(name: string): Promise<void> {
    await writeFile(this.#kubeconfig(name), impersonating(this.#kube, name));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#run(name, resolve);
    await promise;
  }

  async kill(name: string): Promise<void> {
    const child = this.#processes.get(name) ?? assert.fail(`${name} is not to run`);
    this.#processes.delete(name);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#processes.keys()) await this.kill(name);
    assert.deepEqual(this.#failures, []);
  }

  #run(name: string, onBegun: () => void): void {
    const flags = [
      ...this.#flags,
      `--leader-election-namespace=${copyingNamespace}`,
      `--namespaces=${copyingNamespace}`,
      "--log-level=warn",
      "--metrics-address=0",
      "--health-address=0",
      `--kubeconfig=${this.#kubeconfig(name)}`,
    ];
    const args = ["--conditions=@kaji/source", join(import.meta.dirname, "copier-operator.ts"), ...flags];
    const env = { ...process.env, HOSTNAME: name };
    const child = spawn(process.execPath, args, { stdio: ["inherit", "inherit", "pipe", "ipc"], env });
    this.#processes.set(name, child);
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.once("message", onBegun);
    child.once("close", () => {
      if (this.#processes.get(name) !== child) return;
      if (said.endsWith("; exiting, to be restarted\n")) this.#run(name, onBegun);
      else this.#failures.push(`${name}: ${said}`);
    });
  }

  #kubeconfig(name: string): string {
    return join(this.#folder, name);
  }
}

/** Who an identity is of: a replica, whose process adds something of its own. */
export function userOf(identity = ""): string {
  return identity.split("_", 1)[0] ?? "";
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
  const deadlineMs = systemClock.monotonic() + 120_000;
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
