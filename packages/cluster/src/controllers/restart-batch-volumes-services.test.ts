import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import type { KubeObject, Resource, Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { CronJob, Job } from "@kaji/types/batch/v1";
import { Endpoints, PersistentVolume, PersistentVolumeClaim, Pod, ResourceQuota, Service } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { silentLog } from "../silent-log.ts";
import { startCluster } from "../start-cluster.ts";
import type { Cluster } from "../start-cluster.ts";
import { startControllers } from "./start-controllers.ts";
import type { RunningControllers } from "./start-controllers.ts";

interface Process extends RunningControllers {
  readonly isDead: () => boolean;
  readonly writes: () => number;
}

/** Controllers in a process of their own, which ends when so many writes have been made, with the answer to the last one on its way. */
function startProcess(cluster: Cluster, only: readonly string[], writes = Infinity): Process {
  let count = 0;
  const server = cluster.transport();
  const transport: Transport = async (request) => {
    if (count >= writes) throw new Error("the process is dead");
    if (request.method === "GET") return server(request);
    count++;
    const response = await server(request);
    if (count >= writes) throw new Error("the process is dead");
    return response;
  };
  const { clock } = cluster;
  const random = seededRandom(2);
  const client = new KubeClient(transport, { clock, random, retries: 0, onWarning: () => {} });
  const informers = new Informers({ source: client.listerWatcher, clock, random, onFailure: () => {} });
  const end = new AbortController();
  const running = informers.run(end.signal);
  const controllers = startControllers({ client, informers, clock, random, recorder: { event: () => {} }, log: silentLog, only });
  return {
    get activity() {
      return controllers.activity;
    },
    synced: controllers.synced,
    isDead: () => count >= writes,
    writes: () => count,
    async [Symbol.asyncDispose]() {
      await controllers[Symbol.asyncDispose]();
      end.abort();
      await running;
    },
  };
}

/** What a user does, with whom, and what is looked at in the end. */
interface Play {
  readonly only: readonly string[];
  readonly kinds: readonly Resource[];
  readonly act: (cluster: Cluster, pass: (ms: number) => Promise<void>) => Promise<void>;
}

async function play({ only, kinds, act }: Play, deathAfter?: number): Promise<{ readonly end: unknown; readonly writes: number }> {
  const clock = new ManualClock();
  await using cluster = await startCluster({ clock, random: seededRandom(1), rbac: false, controllers: ["node-lifecycle-controller"] });
  let process = startProcess(cluster, only, deathAfter);
  await process.synced;
  const settled = async (): Promise<void> => {
    do {
      await cluster.settled();
      if (!process.isDead()) continue;
      await process[Symbol.asyncDispose]();
      process = startProcess(cluster, only);
      await process.synced;
    } while (process.activity.queued + process.activity.inFlight > 0);
    await cluster.settled();
  };
  await act(cluster, async (ms) => {
    await settled();
    for (let passed = 0; passed < ms; passed += 10_000) {
      await clock.advance(Math.min(10_000, ms - passed));
      await settled();
    }
  });
  const lists = await Promise.all(kinds.map((kind) => cluster.client.list(kind)));
  const { writes } = process;
  await process[Symbol.asyncDispose]();
  return { end: lists.flatMap(({ items }) => items.map(masked).toSorted()).map((text) => JSON.parse(text)), writes: writes() };
}

/** An object without what differs from one run to the next: chance, and moments. */
function masked(object: KubeObject): string {
  return JSON.stringify(object, (key, value: unknown) => (ignored.has(key) ? undefined : value))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/-[a-z0-9]{5}"/g, '-*"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"')
    .replaceAll(/10\.\d+\.\d+\.\d+/g, "IP");
}

const ignored = new Set(["resourceVersion", "managedFields", "generation", "observedGeneration", "containerStatuses", "creationTimestamp"]);

function template(command: readonly string[]): JobTemplate {
  return { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox", command }] } };
}

type JobTemplate = NonNullable<Job["spec"]>["template"];

const labels = { app: "web" };

const plays: Readonly<Record<string, Play>> = {
  "a job that fails, then succeeds": {
    only: ["job-controller"],
    kinds: [Job, Pod],
    async act({ client, pods }, pass) {
      const script = pods.match({}).exit(1);
      await client.create(Job, {
        metadata: { namespace: "default", name: "work" },
        spec: { completions: 2, template: template(["true"]) },
      });
      await pass(5000);
      script.exit(0);
      await pass(30_000);
    },
  },
  "an indexed job of which one index fails": {
    only: ["job-controller"],
    kinds: [Job, Pod],
    async act({ client, pods }, pass) {
      pods.match("batch.kubernetes.io/job-completion-index=1").exit(1);
      const spec = { completions: 2, parallelism: 2, completionMode: "Indexed", backoffLimitPerIndex: 1 } as const;
      await client.create(Job, { metadata: { namespace: "default", name: "work" }, spec: { ...spec, template: template(["true"]) } });
      await pass(30_000);
    },
  },
  "a CronJob": {
    only: ["cronjob-controller"],
    kinds: [CronJob, Job],
    async act({ client }, pass) {
      const spec = {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: template(["true"]) } },
        concurrencyPolicy: "Replace",
      } as const;
      await client.create(CronJob, { metadata: { namespace: "default", name: "tick" }, spec });
      await pass(150_000);
    },
  },
  "a claim, and its volume": {
    only: ["persistentvolume-binder-controller", "persistentvolumeclaim-protection-controller", "persistentvolume-protection-controller"],
    kinds: [PersistentVolumeClaim, PersistentVolume],
    async act({ client }, pass) {
      const volume = { hostPath: { path: "/data" }, capacity: { storage: "2Gi" }, accessModes: ["ReadWriteOnce"] } as const;
      await client.create(PersistentVolume, { metadata: { name: "data" }, spec: volume });
      const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "1Gi" } } } as const;
      for (const name of ["kept", "given-up"]) {
        await client.create(PersistentVolumeClaim, { metadata: { namespace: "default", name }, spec });
        await pass(1000);
      }
      await pass(10_000);
      await client.delete(PersistentVolumeClaim, { namespace: "default", name: "given-up" });
      await pass(10_000);
    },
  },
  "a service with its budget and quota": {
    only: ["disruption-controller", "endpoints-controller", "endpointslice-controller", "resourcequota-controller"],
    kinds: [Endpoints, EndpointSlice, PodDisruptionBudget, ResourceQuota],
    async act({ client }, pass) {
      const metadata = { namespace: "default", name: "web" };
      await client.create(ResourceQuota, { metadata, spec: { hard: { services: "5" } } });
      await pass(1000);
      await client.create(Service, { metadata, spec: { selector: labels, ports: [{ port: 80 }] } });
      await client.create(PodDisruptionBudget, { metadata, spec: { selector: { matchLabels: labels }, minAvailable: 1 } });
      const containers = [{ name: "main", image: "nginx" }];
      for (const name of ["a", "b"]) await client.create(Pod, { metadata: { namespace: "default", name, labels }, spec: { containers } });
      await pass(10_000);
      await client.delete(Pod, { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
      await pass(10_000);
    },
  },
};

for (const [name, scene] of Object.entries(plays)) {
  test(`${name}: controllers that die after any write and start again come to the same end`, async () => {
    const { end, writes } = await play(scene);
    assert.ok(writes > 0);
    for (let death = 1; death <= writes; death++) {
      assert.deepEqual((await play(scene, death)).end, end, `death after write ${death} of ${writes}`);
    }
  });
}
