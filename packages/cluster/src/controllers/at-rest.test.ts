import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { DaemonSet, Deployment, StatefulSet } from "@kaji/types/apps/v1";
import { CronJob, Job } from "@kaji/types/batch/v1";
import { Endpoints, PersistentVolumeClaim, Pod, ReplicationController, ResourceQuota, Service } from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import type { Cluster } from "../cluster.ts";
import { startCluster } from "../start-cluster.ts";

test("[LOOP2] in an hour without any request of a user nothing is written but the heartbeats of nodes", async () => {
  const clock = new ManualClock();
  await using cluster = await startCluster({ clock, random: seededRandom(1) });
  await fill(cluster);
  // Events of the beginning may wait for their turn, and unfinished work for its retry.
  await clock.advance(120_000);
  await cluster.settled();
  const { storage } = cluster.server.registry;
  const written: string[] = [];
  using _subscription = storage.subscribe("/registry/", storage.currentRevision, ({ type, key }) => {
    const isHeartbeat = key.startsWith("/registry/leases/kube-node-lease/") || key.startsWith("/registry/minions/");
    // Events of the beginning go when they are an hour old.
    if (!isHeartbeat && !(type === "Delete" && key.startsWith("/registry/events/"))) written.push(`${type} ${key}`);
  });
  await clock.advance(3_600_000);
  await cluster.settled();
  assert.deepEqual(written, []);
});

/** Something of everything that controllers look after: what runs, what has ended, what waits, and what cannot be. */
async function fill({ client }: Cluster): Promise<void> {
  const metadata = { namespace: "default", name: "web" };
  const labels = { app: "web" };
  const selector = { matchLabels: labels };
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "example/web:1" }] } };
  const ending = { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox", command: ["true"] }] } } as const;
  const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } as const;
  await client.create(ResourceQuota, { metadata, spec: { hard: { pods: "50" } } });
  await client.create(Deployment, { metadata, spec: { replicas: 2, selector, template } });
  await client.create(DaemonSet, { metadata, spec: { selector, template } });
  await client.create(StatefulSet, {
    metadata,
    spec: { replicas: 1, selector, template, serviceName: "web", volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claim }] },
  });
  await client.create(ReplicationController, {
    metadata: { ...metadata, name: "old" },
    spec: { replicas: 1, selector: { app: "old" }, template: { ...template, metadata: { labels: { app: "old" } } } },
  });
  await client.create(Service, { metadata, spec: { selector: labels, ports: [{ port: 80 }] } });
  await client.create(Service, { metadata: { ...metadata, name: "by-hand" }, spec: { ports: [{ port: 80 }] } });
  await client.create(Endpoints, {
    metadata: { ...metadata, name: "by-hand" },
    subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }],
  });
  await client.create(PodDisruptionBudget, { metadata, spec: { selector, minAvailable: 1 } });
  await client.create(Job, { metadata, spec: { template: ending } });
  await client.create(CronJob, { metadata, spec: { schedule: "* * * * *", suspend: true, jobTemplate: { spec: { template: ending } } } });
  await client.create(PersistentVolumeClaim, { metadata: { ...metadata, name: "classless" }, spec: { ...claim, storageClassName: "" } });
  await client.create(Pod, {
    metadata: { ...metadata, name: "too-large" },
    spec: { containers: [{ name: "main", image: "example/web:1", resources: { requests: { cpu: "1000" } } }] },
  });
}
