import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { systemClock } from "@kaji/core";
import { inTime } from "@kaji/core/testing";
import { Lease } from "@kaji/types/coordination/v1";
import { Namespace } from "@kaji/types/core/v1";
import { readAuditLog, writeAuditPolicy } from "./audit-log.ts";
import type { AuditedRequest } from "./audit-log.ts";
import { electionTiming } from "./copier-operator.ts";
import { CopierReplicas, copyingNamespace, load, untilCopied, userOf } from "./copier-replicas.ts";

const kills = 10;
const where = { namespace: copyingNamespace, name: "copier" };

test("[EL10] three replicas, the leader killed ten times under load: nothing is left behind, no write by two leaders in one term", async (context) => {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "kaji-election-"));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const [policy, log] = [join(folder, "policy.json"), join(folder, "audit.log")];
  await writeAuditPolicy(policy);
  const kube = cleanup.use(await startKube({ apiserverFlags: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`] }));
  const client = cleanup.use(await createClient({ kubeconfig: kube.kubeconfig }));
  await client.create(Namespace, { metadata: { name: where.namespace } });

  const replicas = new CopierReplicas(folder, kube, ["--leader-elect"]);
  cleanup.use(replicas);
  for (const name of ["replica-0", "replica-1", "replica-2"]) await replicas.start(name);
  let leader = await inTime("a replica leads", leaderOtherThan(client, undefined));

  const end = new AbortController();
  const loading = load(client, end.signal);
  // Should the test fail before, that is what is to be told.
  loading.catch(() => {});
  let longestMs = 0;
  for (let kill = 0; kill < kills; kill++) {
    await systemClock.sleep(1000);
    const killedMs = systemClock.monotonic();
    await replicas.kill(userOf(leader));
    const restarted = replicas.start(userOf(leader));
    const next = await inTime(`another replica than ${leader} leads`, leaderOtherThan(client, leader));
    longestMs = Math.max(longestMs, systemClock.monotonic() - killedMs);
    // The next one to be killed leaves two behind that are at work.
    await restarted;
    leader = next;
  }
  end.abort();
  context.diagnostic(`another replica led after ${Math.round(longestMs)} ms at most, with a lease of ${electionTiming.leaseDurationMs} ms`);
  const names = await loading;
  await untilCopied(client, names);

  const requests = await readAuditLog(log);
  const terms = termsOf(requests);
  assert.ok(terms.length > kills, `${terms.length} terms`);
  const writes = requests.filter(({ resource, user }) => resource === "secrets" && user.startsWith("replica"));
  assert.ok(writes.length >= names.length);
  const foreign = writes.filter(({ user, receivedMs }) => holderAt(terms, receivedMs) !== user);
  assert.deepEqual(foreign, []);
});

/** Waits for a holder of the lease other than that one, and resolves to its identity. */
async function leaderOtherThan(client: KubeClient, before: string | undefined): Promise<string> {
  for await (const event of client.watch(Lease, { namespace: where.namespace, fieldSelector: `metadata.name=${where.name}` })) {
    const holder = event.type === "BOOKMARK" ? undefined : event.object.spec?.holderIdentity;
    if (holder !== undefined && holder !== "" && holder !== before) return holder;
  }
  return leaderOtherThan(client, before);
}

interface Term {
  /** A replica that is started again is somebody else. */
  readonly identity: string;
  /** When the server began to store the claim, at the earliest. */
  readonly fromMs: number;
}

/** Who held the lease from when, by what the server stored. */
function termsOf(requests: readonly AuditedRequest[]): readonly Term[] {
  const terms: Term[] = [];
  for (const { lease, code, receivedMs } of requests) {
    if (lease?.metadata.name !== where.name || code >= 300) continue;
    const identity = lease.spec?.holderIdentity ?? "";
    if (terms.at(-1)?.identity !== identity) terms.push({ identity, fromMs: receivedMs });
  }
  return terms;
}

function holderAt(terms: readonly Term[], atMs: number): string {
  return userOf(terms.findLast(({ fromMs }) => fromMs <= atMs)?.identity);
}
