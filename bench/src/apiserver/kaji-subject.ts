import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { systemClock } from "@kaji/core";
import { parse } from "yaml";
import type { Subject } from "./subject.ts";

const program = fileURLToPath(new URL("../../../packages/cli/dist/main.js", import.meta.url));
const bundler = fileURLToPath(new URL("../../../packages/cli/src/up/bundle-up.ts", import.meta.url));
const bundle = fileURLToPath(new URL("../../../packages/cli/dist/up/bundle", import.meta.url));
const pollMs = 5;

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly "certificate-authority-data": string } }];
  readonly users: readonly [{ readonly user: { readonly "client-certificate-data": string; readonly "client-key-data": string } }];
}

/** `kaji up` as it is published, on SQLite, in a process of its own, with a data folder that has been used before. */
export async function startKaji(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), "kaji-bench-"));
  // The last step before the package is packed. Later builds would not renew what it makes.
  await promisify(execFile)(process.execPath, [bundler]);
  // Certificates are made at the first start of a data folder, and kept.
  await (await startOnce(folder))[Symbol.asyncDispose]();
  const started = await startOnce(folder);
  return {
    ...started,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
      await rm(bundle, { recursive: true });
    },
  };
}

async function startOnce(folder: string): Promise<Subject> {
  const kubeconfig = join(folder, "kubeconfig");
  await rm(kubeconfig, { force: true });
  const startMs = systemClock.monotonic();
  const child = spawn(process.execPath, [program, "up", "--data", folder, "--port", "0", "--kubeconfig", kubeconfig], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const access = await untilReady(kubeconfig);
  return {
    name: "kaji",
    ...access,
    readyMs: systemClock.monotonic() - startMs,
    pids: child.pid === undefined ? [] : [child.pid],
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function untilReady(kubeconfig: string): Promise<Pick<Subject, "url" | "ca" | "credentials">> {
  for (;;) {
    const access = await readAccess(kubeconfig).catch(() => undefined);
    if (access !== undefined && (await isReady(access))) return access;
    await systemClock.sleep(pollMs);
  }
}

async function readAccess(kubeconfig: string): Promise<Pick<Subject, "url" | "ca" | "credentials">> {
  const { clusters, users }: Kubeconfig = parse(await readFile(kubeconfig, "utf8"));
  const [{ cluster }] = clusters;
  const [{ user }] = users;
  return {
    url: cluster.server,
    ca: fromBase64(cluster["certificate-authority-data"]),
    credentials: { cert: fromBase64(user["client-certificate-data"]), key: fromBase64(user["client-key-data"]) },
  };
}

function isReady({ url, ca }: Pick<Subject, "url" | "ca">): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(`${url}/readyz`, { ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once("error", () => resolve(false));
    asked.end();
  });
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}
