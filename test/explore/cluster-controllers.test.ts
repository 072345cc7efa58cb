import { pods } from "@kaji/testing";
import type { ExploreOptions } from "@kaji/testing";
import { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { Job } from "@kaji/types/batch/v1";
import { ConfigMap, Node, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { exploreAll, finishing, loopOf, metadata, named } from "./builtin-exploration.ts";

const labels = { app: "web" };
const at = "default/web";
const selector = { matchLabels: labels };
const containers = (image: string) => [{ name: "web", image }];
const template = (image: string) => ({ metadata: { labels }, spec: { containers: containers(image) } });

/** A template whose pods go to nodes that are not ready, too: nobody says of those here that they are. */
const everywhere = (image: string) => ({
  metadata: { labels },
  spec: { containers: containers(image), tolerations: [{ operator: "Exists" as const }] },
});

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
  "a ReplicaSet that finds pods, and loses one": {
    controllers: named("replicaset-controller"),
    world: [pods],
    ops: (user) => [
      user.create(Pod, { metadata: { ...metadata, name: "found", labels }, spec: { containers: containers("web:1") } }),
      user.create(ReplicaSet, { metadata, spec: { replicas: 2, selector, template: template("web:1") } }),
      user.mergePatch(Pod, "default/found", { metadata: { labels: { app: "other" } } }),
    ],
  },
  "a Deployment": {
    controllers: named("deployment-controller", "replicaset-controller"),
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
  "a StatefulSet with storage": {
    controllers: named("statefulset-controller"),
    world: [pods],
    // What is scaled down keeps its storage. Whether that of a pod that never came goes with scaling is not explored: it does not in Kubernetes.
    retained: [ControllerRevision, PersistentVolumeClaim],
    mask: [{ resource: ControllerRevision, path: "revision" }],
    ops: (user) => [
      user.create(StatefulSet, {
        metadata,
        spec: {
          serviceName: "web",
          replicas: 2,
          selector,
          template: template("web:1"),
          persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
          volumeClaimTemplates: [
            { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
          ],
        },
      }),
      user.mergePatch(StatefulSet, at, { spec: { replicas: 1 } }),
      user.delete(StatefulSet, at),
    ],
    eventually: { "its storage goes with it": (world) => world.list(PersistentVolumeClaim).length === 0 },
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
      // Whoever does not say so leaves the pods behind.
      user.delete(Job, at, { propagationPolicy: "Background" }),
    ],
  },
  "what has lost its owners": {
    controllers: [],
    loops: loopOf("garbage-collector-controller", ConfigMap),
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

exploreAll(explorations);
