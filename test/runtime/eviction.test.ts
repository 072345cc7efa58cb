import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { isReason } from "@kaji/core";
import type { ObjectMeta } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, reconcileChannel, use } from "@kaji/runtime";
import type { ReconcileReport } from "@kaji/runtime";
import { testCluster } from "@kaji/testing";
import { ConfigMap, Pod } from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";

const Move = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Move",
  spec: z.object({ pod: z.string() }),
  status: z.object({ answer: z.string().optional() }),
});

const labels = { app: "web" };
const pod = (name: string) => ({
  metadata: { name, namespace: "default", labels },
  spec: { containers: [{ name: "web", image: "nginx" }] },
});
const move = (name: string) => ({ metadata: { name, namespace: "default" }, spec: { pod: name } });

test("[APP21] an eviction is of the Pod that was read, one that is gone is no failure, and what a budget forbids is refused", async () => {
  const read = new Map<string, ObjectMeta>();
  const moves = defineController(Move, {
    uses: [use(Pod, "create/eviction")],
    async reconcile({ spec }, { client, setStatus }) {
      const evicted = client.evict(read.get(spec.pod) ?? `default/${spec.pod}`);
      const answer = await evicted.then(
        (status) => (status === undefined ? "gone" : "evicted"),
        (error: unknown) =>
          isReason(error, "Conflict") ? "another one" : isReason(error, "TooManyRequests") ? "forbidden" : String(error),
      );
      await setStatus({ answer });
    },
  });
  await using cluster = await testCluster({ controllers: [moves] });
  const { client } = cluster;
  for (const name of ["here", "again", "kept"]) read.set(name, (await client.create(Pod, pod(name))).metadata);
  await client.create(PodDisruptionBudget, {
    metadata: { name: "kept", namespace: "default" },
    spec: { selector: { matchLabels: { keep: "yes" } }, minAvailable: 1 },
  });
  await client.mergePatch(Pod, "default/kept", { metadata: { labels: { keep: "yes" } } });
  await client.delete(Pod, "default/again", { gracePeriodSeconds: 0 });
  await client.create(Pod, pod("again"));
  await cluster.settled();
  const answers = new Map<string, string | undefined>();
  for (const name of ["here", "again", "kept", "nowhere"]) {
    await client.create(Move, move(name));
    await cluster.settled();
    answers.set(name, (await client.get(Move, `default/${name}`)).status?.answer);
  }
  assert.deepEqual(Object.fromEntries(answers), { here: "evicted", again: "another one", kept: "forbidden", nowhere: "gone" });
  const left = (await client.list(Pod, { namespace: "default" })).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(left, ["again", "kept"]);
});

test("[REP1] evictions, commands in containers and deletions of many are reported as writes", async () => {
  const writes: string[] = [];
  const hear = (message: unknown): void => {
    const { controller, writes: its } = message as ReconcileReport;
    // Those of the cluster are told, too.
    if (controller === "move") writes.push(...its.map(({ verb, kind, key, result }) => `${verb} ${kind} ${key}: ${result}`));
  };
  subscribe(reconcileChannel, hear);
  using _hearing = { [Symbol.dispose]: () => unsubscribe(reconcileChannel, hear) };
  const moves = defineController(Move, {
    uses: [use(Pod, "create/eviction", "create/exec"), use(ConfigMap, "deletecollection")],
    async reconcile({ spec }, { client }) {
      await client.exec(`default/${spec.pod}`, ["true"]);
      await client.evict(`default/${spec.pod}`).catch(() => {});
      await client.deleteCollection(ConfigMap, { namespace: "default", labelSelector: "app=web" });
    },
  });
  await using cluster = await testCluster({ controllers: [moves] });
  cluster.pods.match("app=web").onCommand(() => ({ exitCode: 0 }));
  await cluster.client.create(PodDisruptionBudget, {
    metadata: { name: "kept", namespace: "default" },
    spec: { selector: { matchLabels: labels }, minAvailable: 1 },
  });
  await cluster.client.create(Pod, pod("web"));
  await cluster.settled();
  await cluster.client.create(Move, move("web"));
  await cluster.settled();
  assert.deepEqual(writes, [
    "exec Pod default/web: Written",
    "evict Pod default/web: Refused",
    "deletecollection ConfigMap default/*: Written",
  ]);
});
