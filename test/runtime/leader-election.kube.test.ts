import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import type { Kube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { isReason, systemClock } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import { ConfigMap, Namespace, Secret } from "@kaji/types/core/v1";
import { readAuditLog, writeAuditPolicy } from "./audit-log.ts";
import type { AuditedRequest } from "./audit-log.ts";
import { electionTiming } from "./copier-operator.ts";

const kills = 10;
/** What starting processes and requests on a busy machine may add. */
const slackMs = 1500;
const where = { namespace: "copies", name: "copier" };

test("[EL10] three replicas, the leader killed ten times under load: nothing is left behind, no write by two leaders in one term", async () => {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "kaji-election-"));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const [policy, log] = [join(folder, "policy.json"), join(folder, "audit.log")];
  await writeAuditPolicy(policy);
  const kube = cleanup.use(await startKube({ apiserverFlags: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`] }));
  const client = cleanup.use(await createClient({ kubeconfig: kube.kubeconfig }));
  await client.create(Namespace, { metadata: { name: where.namespace } });

  const replicas = new Replicas(folder, kube);
  cleanup.use(replicas);
  for (const name of ["replica-0", "replica-1", "replica-2"]) await replicas.start(name);
  let leader = await leaderOtherThan(client, undefined);

  const end = new AbortController();
  const loading = load(client, end.signal);
  // Should the test fail before, that is what is to be told.
  loading.catch(() => {});
  for (let kill = 0; kill < kills; kill++) {
    await systemClock.sleep(1000);
    const killedMs = systemClock.monotonic();
    await replicas.kill(leader);
    await replicas.start(leader);
    const next = await leaderOtherThan(client, leader);
    const tookMs = systemClock.monotonic() - killedMs;
    assert.ok(tookMs <= electionTiming.leaseDurationMs + slackMs, `it took ${Math.round(tookMs)} ms until ${next} led after ${leader}`);
    leader = next;
  }
  end.abort();
  const names = await loading;
  await untilCopied(client, names);

  const requests: AuditedRequest[] = [];
  for await (const request of readAuditLog(log)) requests.push(request);
  const terms = termsOf(requests);
  assert.ok(terms.length > kills, `${terms.length} terms`);
  const writes = requests.filter(({ resource, user }) => resource === "secrets" && user.startsWith("replica"));
  assert.ok(writes.length >= names.length);
  const foreign = writes.filter(({ user, receivedMs }) => holderAt(terms, receivedMs) !== user);
  assert.deepEqual(foreign, []);
});

/** Processes of the operator, each with a user of its own, so that the server can tell them apart. */
class Replicas implements AsyncDisposable {
  readonly #folder: string;
  readonly #kube: Kube;
  readonly #processes = new Map<string, ChildProcess>();

  constructor(folder: string, kube: Kube) {
    this.#folder = folder;
    this.#kube = kube;
  }

  async start(name: string): Promise<void> {
    const kubeconfig = join(this.#folder, name);
    await writeFile(kubeconfig, impersonating(this.#kube, name));
    const program = join(import.meta.dirname, "copier-operator.ts");
    const flags = [
      "--leader-elect",
      `--leader-election-namespace=${where.namespace}`,
      `--namespaces=${where.namespace}`,
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
    this.#processes.set(name, spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, HOSTNAME: name } }));
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

async function leaderOtherThan(client: KubeClient, before: string | undefined): Promise<string> {
  for await (const event of client.watch(Lease, { namespace: where.namespace, fieldSelector: `metadata.name=${where.name}` })) {
    const [holder = ""] = event.type === "BOOKMARK" ? [] : (event.object.spec?.holderIdentity?.split("_") ?? []);
    if (holder !== "" && holder !== before) return holder;
  }
  return leaderOtherThan(client, before);
}

/** Makes something to do, about forty objects a second; resolves to their names. */
async function load(client: KubeClient, signal: AbortSignal): Promise<readonly string[]> {
  const names: string[] = [];
  while (!signal.aborted) {
    const name = `load-${names.length}`;
    await client.create(ConfigMap, { metadata: { namespace: where.namespace, name, labels: { app: "load" } }, data: { text: name } });
    names.push(name);
    await systemClock.sleep(20);
  }
  return names;
}

async function untilCopied(client: KubeClient, names: readonly string[]): Promise<void> {
  const deadlineMs = systemClock.monotonic() + 60_000;
  for (const name of names) {
    for (;;) {
      try {
        await client.get(Secret, { namespace: where.namespace, name });
        break;
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
        assert.ok(systemClock.monotonic() < deadlineMs, `${name} was left behind`);
        await systemClock.sleep(100);
      }
    }
  }
}

interface Term {
  readonly user: string;
  /** When the server began to store the claim, at the earliest. */
  readonly fromMs: number;
}

/** Who held the lease from when, by what the server stored. */
function termsOf(requests: readonly AuditedRequest[]): readonly Term[] {
  const terms: Term[] = [];
  for (const { lease, code, receivedMs } of requests) {
    if (lease?.metadata.name !== where.name || code >= 300) continue;
    const [user = ""] = lease.spec?.holderIdentity?.split("_") ?? [];
    if (terms.at(-1)?.user !== user) terms.push({ user, fromMs: receivedMs });
  }
  return terms;
}

function holderAt(terms: readonly Term[], atMs: number): string | undefined {
  return terms.findLast(({ fromMs }) => fromMs <= atMs)?.user;
}
