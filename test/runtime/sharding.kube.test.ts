import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { systemClock } from "@kaji/core";
import { shardOf } from "@kaji/runtime";
import { Lease } from "@kaji/types/coordination/v1";
import { Namespace } from "@kaji/types/core/v1";
import { readAuditLog, writeAuditPolicy } from "./audit-log.ts";
import type { AuditedRequest } from "./audit-log.ts";
import { CopierReplicas, copyingNamespace, load, untilCopied, userOf } from "./copier-replicas.ts";

const count = 6;
const kills = 2;

test("[SHARD10] three replicas share the load, one after the other is killed: nothing is left behind, each write is by the holder of its shard", async () => {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "kaji-sharding-"));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const [policy, log] = [join(folder, "policy.json"), join(folder, "audit.log")];
  await writeAuditPolicy(policy);
  const kube = cleanup.use(await startKube({ apiserverFlags: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`] }));
  const client = cleanup.use(await createClient({ kubeconfig: kube.kubeconfig }));
  await client.create(Namespace, { metadata: { name: copyingNamespace } });

  const replicas = new CopierReplicas(folder, kube, [`--shards=${count}`]);
  cleanup.use(replicas);
  const names = ["replica-0", "replica-1", "replica-2"];
  for (const name of names) await replicas.start(name);
  await untilShared(client, names);

  const end = new AbortController();
  const loading = load(client, end.signal);
  // Should the test fail before, that is what is to be told.
  loading.catch(() => {});
  for (let kill = 0; kill < kills; kill++) {
    const victim = names[kill % names.length] ?? assert.fail();
    await systemClock.sleep(1000);
    await replicas.kill(victim);
    await untilShared(
      client,
      names.filter((name) => name !== victim),
    );
    await replicas.start(victim);
    await untilShared(client, names);
  }
  end.abort();
  await untilCopied(client, await loading);

  const requests = await readAuditLog(log);
  const writes = requests.filter(({ resource, user, code }) => resource === "secrets" && user.startsWith("replica") && code < 300);
  assert.deepEqual([...new Set(writes.map(({ user }) => user))].toSorted(), names);
  const foreign = writes.filter(
    ({ name, user, receivedMs }) => holderAt(requests, shardOf(`${copyingNamespace}/${name}`, count), receivedMs) !== user,
  );
  assert.deepEqual(foreign, []);
});

/** Waits until just these replicas hold shards, each as many as the others. */
async function untilShared(client: KubeClient, names: readonly string[]): Promise<void> {
  const deadlineMs = systemClock.monotonic() + 120_000;
  for (;;) {
    const { items } = await client.list(Lease, { namespace: copyingNamespace, labelSelector: "kaji.dev/shard" });
    const holders = Map.groupBy(items, ({ spec }) => userOf(spec?.holderIdentity));
    if (
      items.length === count &&
      holders.size === names.length &&
      names.every((name) => holders.get(name)?.length === count / names.length)
    )
      return;
    assert.ok(
      systemClock.monotonic() < deadlineMs,
      `shared are ${JSON.stringify([...holders].map(([name, shards]) => [name, shards.length]))}`,
    );
    await systemClock.sleep(50);
  }
}

/** Who held a shard, by what the server stored. */
function holderAt(requests: readonly AuditedRequest[], shard: number, atMs: number): string {
  const name = `copier-shard-${shard}-of-${count}`;
  const last = requests.findLast(({ lease, code, receivedMs }) => lease?.metadata.name === name && code < 300 && receivedMs <= atMs);
  return userOf(last?.lease?.spec?.holderIdentity);
}
