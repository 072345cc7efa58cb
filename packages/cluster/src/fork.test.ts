import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Draft } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { CronJob, Job } from "@kaji/types/batch/v1";
import { ConfigMap, Namespace, Node, Pod } from "@kaji/types/core/v1";
import { Lease } from "@kaji/types/coordination/v1";
import type { Cluster, RestoreOptions } from "./cluster.ts";
import { startCluster } from "./start-cluster.ts";

suite("a forked cluster", () => {
  test("[FORK1] has all that there was, and what is written in one is not seen in the other", async () => {
    await using base = await start();
    await base.client.create(Deployment, deployment("web", 2));
    await base.settled();
    await using fork = await base.fork(at(base));
    assert.deepEqual(await fork.client.list(Pod, { namespace: "default" }), await base.client.list(Pod, { namespace: "default" }));

    const mine = await fork.client.create(ConfigMap, { metadata: { name: "mine", namespace: "default" } });
    const other = await base.client.create(ConfigMap, { metadata: { name: "other", namespace: "default" } });
    await Promise.all([base.settled(), fork.settled()]);
    assert.deepEqual(await names(fork, ConfigMap), ["kube-root-ca.crt", "mine"]);
    assert.deepEqual(await names(base, ConfigMap), ["kube-root-ca.crt", "other"]);
    assert.equal(mine.metadata.resourceVersion, other.metadata.resourceVersion, "both go on from the same revision");
    assert.notEqual(mine.metadata.uid, other.metadata.uid);
  });

  test("[FORK2] does what any cluster does: deployments are rolled out, and collected when they go", async () => {
    await using base = await start();
    await using fork = await base.fork(at(base));
    await fork.client.create(Deployment, deployment("web", 3));
    await fork.settled();
    const pods = (await fork.client.list(Pod, { namespace: "default" })).items;
    assert.deepEqual(
      pods.map(({ status }) => status?.phase),
      ["Running", "Running", "Running"],
    );
    await fork.client.delete(Deployment, { namespace: "default", name: "web" });
    await fork.settled();
    assert.deepEqual([await names(fork, ReplicaSet), await names(fork, Pod)], [[], []]);
    assert.deepEqual(await names(base, Pod), []);
  });

  test("[FORK2] goes on with what was there: a change of an old object leads where it would have led", async () => {
    await using base = await start();
    await base.client.create(Namespace, { metadata: { name: "shop" } });
    await base.client.create(Deployment, deployment("web", 2));
    await using fork = await base.fork(at(base));
    const [pod] = (await fork.client.list(Pod, { namespace: "default" })).items;
    assert.ok(pod !== undefined);
    await fork.client.delete(Pod, pod.metadata);
    await fork.settled();
    const left = await names(fork, Pod);
    assert.equal(left.length, 2);
    assert.ok(!left.includes(pod.metadata.name));
    await fork.client.delete(Namespace, { name: "shop" });
    await fork.settled();
    const namespaces = async (cluster: Cluster): Promise<boolean> =>
      (await cluster.client.list(Namespace)).items.some(({ metadata }) => metadata.name === "shop");
    assert.deepEqual([await namespaces(fork), await namespaces(base)], [false, true]);
  });

  test("[FORK3] has a time of its own, in which happens what was due", async () => {
    await using base = await start();
    const containers = [{ name: "main", image: "example/job:1", command: ["true"] }];
    await base.client.create(CronJob, {
      metadata: { name: "tick", namespace: "default" },
      spec: { schedule: "*/20 * * * *", jobTemplate: { spec: { template: { spec: { restartPolicy: "OnFailure", containers } } } } },
    });
    const snapshot = await base.snapshot();
    const clocks = [new ManualClock(snapshot.atMs), new ManualClock(snapshot.atMs)] as const;
    await using fork = await snapshot.restore({ clock: clocks[0], random: seededRandom(2) });
    await using still = await snapshot.restore({ clock: clocks[1], random: seededRandom(3) });
    await clocks[0].advance(3_600_000);
    await fork.settled();
    const times = (await fork.client.list(Job, { namespace: "default" })).items.map(({ status }) => status?.startTime);
    assert.deepEqual(times, ["2026-01-01T00:20:00Z", "2026-01-01T00:40:00Z", "2026-01-01T01:00:00Z"]);
    assert.deepEqual([await names(still, Job), await names(base, Job)], [[], []]);
    const [node] = (await fork.client.list(Node)).items;
    assert.equal(node?.status?.conditions?.find(({ type }) => type === "Ready")?.status, "True");
    const lease = await fork.client.get(Lease, { namespace: "kube-node-lease", name: "node-1" });
    assert.equal(lease.spec?.renewTime, "2026-01-01T01:00:00.000000Z", "the node has said all the time that it is alive");
  });

  test("[FORK3] that is made long after has nodes that are alive all the same", async () => {
    await using base = await start();
    const snapshot = await base.snapshot();
    const clock = new ManualClock(snapshot.atMs + 3_600_000);
    await using fork = await snapshot.restore({ clock, random: seededRandom(2) });
    await clock.advance(60_000);
    await fork.settled();
    const [node] = (await fork.client.list(Node)).items;
    assert.equal(node?.status?.conditions?.find(({ type }) => type === "Ready")?.status, "True");
    assert.equal(node?.spec?.taints, undefined);
  });

  test("[FORK3] that is made long after has its nodes renew their leases and nothing else, and each fork its own", async () => {
    await using base = await start();
    const snapshot = await base.snapshot();
    const made = async (seed: number): Promise<Cluster> =>
      snapshot.restore({ clock: new ManualClock(snapshot.atMs + 20_000), random: seededRandom(seed) });
    await using fork = await made(2);
    await using sibling = await made(3);
    const { storage } = base.server.registry;
    assert.equal(fork.server.registry.storage.currentRevision, storage.currentRevision + 1);
    const renewed = async (cluster: Cluster): Promise<string | undefined> =>
      (await cluster.client.get(Lease, { namespace: "kube-node-lease", name: "node-1" })).spec?.renewTime;
    assert.deepEqual(
      [await renewed(fork), await renewed(sibling), await renewed(base)],
      ["2026-01-01T00:00:20.000000Z", "2026-01-01T00:00:20.000000Z", "2026-01-01T00:00:00.000000Z"],
    );
  });

  test("[FORK3] that is made long after registers no node that was deleted before", async () => {
    await using base = await start();
    await base.client.delete(Node, { name: "node-1" });
    const snapshot = await base.snapshot();
    const clock = new ManualClock(snapshot.atMs + 60_000);
    await using fork = await snapshot.restore({ clock, random: seededRandom(2) });
    await clock.advance(60_000);
    await fork.settled();
    assert.deepEqual((await fork.client.list(Node)).items, []);
  });

  test("[FORK4] has pods do what was said of them, and what is said later only here", async () => {
    await using base = await start();
    base.pods.match("app=web").neverReady();
    await using fork = await base.fork(at(base));
    await fork.client.create(Deployment, deployment("web", 1));
    await fork.settled();
    const ready = async (cluster: Cluster): Promise<number> =>
      (await cluster.client.get(Deployment, { namespace: "default", name: "web" })).status?.readyReplicas ?? 0;
    assert.equal(await ready(fork), 0);
    await using second = await fork.fork(at(fork));
    second.pods.match("app=web").run();
    await second.settled();
    assert.deepEqual([await ready(second), await ready(fork)], [1, 0]);
  });

  test("[FORK5] writes nothing until there is something to do", async () => {
    await using base = await start();
    await base.client.create(Deployment, deployment("web", 2));
    await using fork = await base.fork(at(base));
    const before = fork.server.registry.storage.currentRevision;
    await fork.settled();
    assert.equal(fork.server.registry.storage.currentRevision, before);
  });

  test("[FORK1] can be watched from a revision before it was made", async () => {
    await using base = await start();
    const { metadata } = await base.client.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
    await base.client.create(ConfigMap, { metadata: { name: "b", namespace: "default" } });
    await using fork = await base.fork(at(base));
    await fork.client.create(ConfigMap, { metadata: { name: "c", namespace: "default" } });
    const seen: string[] = [];
    const end = new AbortController();
    const { resourceVersion = "" } = metadata;
    for await (const event of fork.client.watch(ConfigMap, { namespace: "default", resourceVersion, signal: end.signal })) {
      if (event.type === "ADDED") seen.push(event.object.metadata.name);
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, ["b", "c"]);
  });

  test("[FORK1] outlives the one it was made from", async () => {
    const base = await start();
    const snapshot = await base.snapshot();
    await base[Symbol.asyncDispose]();
    await using fork = await snapshot.restore({ clock: new ManualClock(snapshot.atMs) });
    await fork.client.create(Deployment, deployment("web", 1));
    await fork.settled();
    assert.equal((await names(fork, Pod)).length, 1);
  });
});

/** Where all of them begin: a cluster in which nothing has happened yet. */
const beginning = startCluster({ clock: new ManualClock(), random: seededRandom(1) });
after(async () => (await beginning)[Symbol.asyncDispose]());

async function start(): Promise<Cluster> {
  const empty = await beginning;
  return empty.fork(at(empty));
}

/** A time and a chance of its own. */
function at({ clock }: Cluster): RestoreOptions {
  return { clock: new ManualClock(clock.now()), random: seededRandom(2) };
}

async function names(cluster: Cluster, kind: typeof Pod | typeof ConfigMap | typeof ReplicaSet | typeof Job): Promise<readonly string[]> {
  const items = (await cluster.client.list<Pod | ConfigMap | ReplicaSet | Job>(kind, { namespace: "default" })).items;
  return items.map(({ metadata }) => metadata.name);
}

function deployment(name: string, replicas: number): Draft<Deployment> {
  const labels = { app: name };
  return {
    metadata: { name, namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "example/web:1" }] } },
    },
  };
}
