import { test } from "node:test";
import { builtinControllers } from "@kaji/cluster";
import type { Controller } from "@kaji/runtime";
import { explore, pods } from "@kaji/testing";
import type { Actor, ExploreOptions } from "@kaji/testing";
import { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { Job } from "@kaji/types/batch/v1";
import { ConfigMap, Node, Pod } from "@kaji/types/core/v1";

const labels = { app: "web" };
const metadata = { name: "web", namespace: "default" };
const at = "default/web";
const selector = { matchLabels: labels };
const containers = (image: string) => [{ name: "web", image }];
const template = (image: string) => ({ metadata: { labels }, spec: { containers: containers(image) } });

/** A template whose pods go to nodes that are not ready, too: nobody says of those here that they are. */
const everywhere = (image: string) => ({
  metadata: { labels },
  spec: { containers: containers(image), tolerations: [{ operator: "Exists" as const }] },
});

/** The controllers of this name, as a cluster runs them. */
function named(wanted: string): readonly Controller[] {
  return builtinControllers.flatMap(({ name, controller }) => (controller !== undefined && name === wanted ? [controller] : []));
}

/** Pods that run come to their end. */
const finishing: Actor = {
  name: "finishing",
  react({ type, object, id }, { later, client, state }) {
    const isRunning = (pod: object | undefined): boolean =>
      pod !== undefined && "status" in pod && (pod as Pod).status?.phase === "Running";
    if (type === "Deleted" || !id.startsWith("Pod ") || !isRunning(object)) return;
    const { uid = "" } = object.metadata;
    later(uid, 50, async () => {
      const live = state.withUid(uid);
      if (!isRunning(live) || live === undefined) return;
      await client.mergePatch(Pod, live.metadata, { status: { phase: "Succeeded" } }, { subresource: "status" });
    });
  },
};

const explorations: Readonly<Record<string, ExploreOptions>> = {
  "a ReplicaSet": {
    controllers: named("replicaset-controller"),
    world: [pods],
    ops: (user) => [
      user.create(ReplicaSet, { metadata, spec: { replicas: 2, selector, template: template("web:1") } }),
      user.mergePatch(ReplicaSet, at, { spec: { replicas: 1 } }),
      user.delete(ReplicaSet, at),
    ],
  },
  "a Deployment": {
    controllers: [named("deployment-controller"), named("replicaset-controller")].flat(),
    world: [pods],
    // What there was before is kept, to go back to.
    retained: [ReplicaSet],
    ops: (user) => [
      user.create(Deployment, { metadata, spec: { replicas: 2, selector, template: template("web:1") } }),
      user.mergePatch(Deployment, at, { spec: { template: template("web:2") } }),
      user.delete(Deployment, at),
    ],
  },
  "a StatefulSet": {
    controllers: named("statefulset-controller"),
    world: [pods],
    retained: [ControllerRevision],
    mask: [{ resource: ControllerRevision, path: "revision" }],
    ops: (user) => [
      user.create(StatefulSet, { metadata, spec: { serviceName: "web", replicas: 2, selector, template: template("web:1") } }),
      user.mergePatch(StatefulSet, at, { spec: { replicas: 1, template: template("web:2") } }),
      user.delete(StatefulSet, at),
    ],
  },
  "a DaemonSet": {
    controllers: named("daemonset-controller"),
    world: [pods],
    retained: [ControllerRevision],
    mask: [
      { resource: ControllerRevision, path: "revision" },
      { resource: Pod, path: "metadata.labels.pod-template-generation" },
    ],
    ops: (user) => [
      user.create(Node, { metadata: { name: "node-1", labels: { "kubernetes.io/hostname": "node-1" } } }),
      user.create(DaemonSet, { metadata, spec: { selector, template: everywhere("web:1") } }),
      user.mergePatch(DaemonSet, at, { spec: { template: everywhere("web:2") } }),
      user.delete(DaemonSet, at),
    ],
  },
  "a Job": {
    controllers: named("job-controller"),
    world: [pods, finishing],
    // A Job that is complete does not make its pods again.
    faults: { exclude: ["DeleteChild"] },
    ops: (user) => [
      user.create(Job, {
        metadata,
        spec: { completions: 2, parallelism: 1, template: { spec: { restartPolicy: "Never", containers: containers("web:1") } } },
      }),
      user.delete(Job, at),
    ],
  },
  "what has lost its owners": {
    controllers: [],
    loops: builtinControllers
      .filter(({ name }) => name === "garbage-collector-controller")
      .map(({ name, start }) => ({ name, start, resources: [ConfigMap] })),
    collectGarbage: false,
    // Who is born without an owner has none.
    mask: [{ resource: ConfigMap, path: "metadata.ownerReferences" }],
    ops: (user) => [
      user.create(ConfigMap, { metadata: { ...metadata, name: "owner" }, data: { here: "yes" } }),
      {
        text: "create ConfigMap default/dependent, owned by default/owner",
        resource: ConfigMap,
        run: async (client) => {
          const owner = await client.get(ConfigMap, "default/owner");
          const { name, uid = "" } = owner.metadata;
          const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid }];
          await client.create(ConfigMap, { metadata: { ...metadata, name: "dependent", ownerReferences } });
        },
      },
      user.delete(ConfigMap, "default/owner"),
    ],
    eventually: { "the dependent goes with its owner": (world) => world.list(ConfigMap, "default").length === 0 },
  },
};

/** A few plans of each sort; `KAJI_EXPLORE_RUNS=1000` tries them all. */
const { KAJI_EXPLORE_RUNS: runs = "25" } = process.env;
for (const [what, options] of Object.entries(explorations)) {
  test(`${what} comes out right whatever single thing goes wrong`, async () => {
    await explore({ ...options, runs: Number(runs), budget: "10m" }).expectNoViolations();
  });
}
