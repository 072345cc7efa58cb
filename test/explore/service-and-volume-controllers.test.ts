import { pods } from "@kaji/testing";
import type { ExploreOptions } from "@kaji/testing";
import { ValidatingAdmissionPolicy } from "@kaji/types/admissionregistration/v1";
import { ReplicaSet } from "@kaji/types/apps/v1";
import { Job } from "@kaji/types/batch/v1";
import {
  ConfigMap,
  Endpoints,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  ResourceQuota,
  Service,
} from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { StorageClass } from "@kaji/types/storage/v1";
import { addressing, exploreAll, finishing, loopOf, metadata, named } from "./builtin-exploration.ts";

const labels = { app: "web" };
const at = "default/web";
const selector = { matchLabels: labels };
const containers = [{ name: "web", image: "web" }];
const template = { metadata: { labels }, spec: { containers } };
const claim = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };

const explorations: Readonly<Record<string, ExploreOptions>> = {
  "a Service": {
    controllers: named("endpointslice-controller", "endpoints-controller"),
    world: [pods, addressing],
    ops: (user) => [
      user.create(Service, { metadata, spec: { selector: labels, ports: [{ port: 80 }] } }),
      user.create(Pod, { metadata: { ...metadata, labels }, spec: { containers } }),
      user.delete(Pod, at),
      user.delete(Service, at),
    ],
  },
  "a Service whose endpoints somebody else says": {
    controllers: named("endpointslice-mirroring-controller"),
    ops: (user) => [
      user.create(Service, { metadata, spec: { ports: [{ port: 80 }] } }),
      user.create(Endpoints, { metadata, subsets: [{ addresses: [{ ip: "10.9.0.1" }], ports: [{ port: 80 }] }] }),
      user.mergePatch(Endpoints, at, { subsets: [{ addresses: [{ ip: "10.9.0.2" }], ports: [{ port: 80 }] }] }),
      user.delete(Service, at),
    ],
  },
  "a ReplicationController": {
    controllers: named("replicationcontroller-controller"),
    world: [pods],
    ops: (user) => [
      user.create(ReplicationController, { metadata, spec: { replicas: 2, selector: labels, template } }),
      user.mergePatch(ReplicationController, at, { spec: { replicas: 1 } }),
      // Whoever does not say so leaves the pods behind.
      user.delete(ReplicationController, at, { propagationPolicy: "Background" }),
    ],
  },
  "a ResourceQuota": {
    controllers: [],
    loops: loopOf("resourcequota-controller", ResourceQuota, ConfigMap),
    ops: (user) => [
      user.create(ResourceQuota, { metadata, spec: { hard: { "count/configmaps": "5" } } }),
      user.create(ConfigMap, { metadata }),
      user.mergePatch(ResourceQuota, at, { spec: { hard: { "count/configmaps": "3" } } }),
      user.delete(ConfigMap, at),
    ],
  },
  "a PodDisruptionBudget": {
    controllers: named("replicaset-controller"),
    loops: loopOf("disruption-controller", PodDisruptionBudget),
    world: [pods],
    ops: (user) => [
      user.create(ReplicaSet, { metadata, spec: { replicas: 2, selector, template } }),
      user.create(PodDisruptionBudget, { metadata, spec: { minAvailable: 1, selector } }),
      user.mergePatch(ReplicaSet, at, { spec: { replicas: 1 } }),
      user.delete(PodDisruptionBudget, at),
    ],
  },
  "a claim and its volume": {
    controllers: named(
      "persistentvolume-binder-controller",
      "persistentvolumeclaim-protection-controller",
      "persistentvolume-protection-controller",
    ),
    world: [],
    mask: [
      // They say whether somebody asked for just this volume, as whoever creates a claim with its name does.
      { resource: PersistentVolume, path: "metadata.annotations" },
      { resource: PersistentVolumeClaim, path: "metadata.annotations" },
      // Whether a volume was bound once is history: a claim may come and go before it is seen.
      { resource: PersistentVolume, path: "spec.claimRef" },
      { resource: PersistentVolume, path: "status.phase" },
    ],
    eventually: { "the volume is bound no more": (world) => world.list(PersistentVolume)[0]?.status?.phase !== "Bound" },
    ops: (user) => [
      user.create(PersistentVolume, {
        metadata: { name: "disk" },
        spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/disk" } },
      }),
      user.create(PersistentVolumeClaim, {
        metadata,
        spec: { ...claim, storageClassName: "" },
      }),
      user.delete(PersistentVolumeClaim, at),
    ],
  },
  "a claim for which a volume is made": {
    controllers: named(
      "persistentvolume-binder-controller",
      "persistentvolumeclaim-protection-controller",
      "persistentvolume-protection-controller",
    ),
    world: [],
    // One step: a claim that names the volume that was made for it is not what a user would begin with.
    ops: (user) => [
      {
        text: "create StorageClass fast, and a claim of it",
        resource: StorageClass,
        run: async (client) => {
          await client.create(StorageClass, { metadata: { name: "fast" }, provisioner: "simulated.kaji.dev" });
          await client.create(PersistentVolumeClaim, { metadata, spec: { ...claim, storageClassName: "fast" } });
        },
      },
      user.delete(PersistentVolumeClaim, at),
    ],
    eventually: { "the volume goes with its claim": (world) => world.list(PersistentVolume).length === 0 },
  },
  "a Job that is over": {
    controllers: named("job-controller", "ttl-after-finished-controller"),
    world: [pods, finishing],
    ops: (user) => [
      user.create(Job, { metadata, spec: { ttlSecondsAfterFinished: 60, template: { spec: { restartPolicy: "Never", containers } } } }),
    ],
  },
  "a pod with a volume of its own": {
    controllers: named("ephemeral-volume-controller"),
    world: [pods],
    ops: (user) => [
      user.create(Pod, {
        metadata,
        spec: {
          containers,
          volumes: [
            {
              name: "scratch",
              ephemeral: { volumeClaimTemplate: { spec: claim } },
            },
          ],
        },
      }),
      user.delete(Pod, at),
    ],
  },
  "a node with a taint": {
    controllers: [],
    loops: loopOf("taint-eviction-controller", Pod, Node),
    world: [pods],
    // Whoever creates a node is told that it is not ready yet.
    mask: [{ resource: Node, path: "spec.taints" }],
    ops: (user) => [
      user.create(Node, { metadata: { name: "node-1" } }),
      user.create(Pod, { metadata, spec: { containers } }),
      user.mergePatch(Node, "node-1", { spec: { taints: [{ key: "broken", effect: "NoExecute" }] } }),
    ],
  },
  "a policy": {
    controllers: [],
    loops: loopOf("validatingadmissionpolicy-status-controller", ValidatingAdmissionPolicy),
    ops: (user) => [
      user.create(ValidatingAdmissionPolicy, {
        metadata: { name: "web" },
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
          },
          validations: [{ expression: "object.spec.replicas < 5" }],
        },
      }),
      user.mergePatch(ValidatingAdmissionPolicy, "web", { spec: { validations: [{ expression: "object.spec.nothing == 1" }] } }),
      user.delete(ValidatingAdmissionPolicy, "web"),
    ],
  },
};

exploreAll(explorations);
