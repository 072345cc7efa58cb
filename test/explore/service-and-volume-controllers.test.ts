import { test } from "node:test";
import { builtinControllers } from "@kaji/cluster";
import type { Controller } from "@kaji/runtime";
import { explore, pods } from "@kaji/testing";
import type { Actor, ExploreOptions, Loop } from "@kaji/testing";
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

const labels = { app: "web" };
const metadata = { name: "web", namespace: "default" };
const at = "default/web";
const selector = { matchLabels: labels };
const containers = [{ name: "web", image: "web" }];
const template = { metadata: { labels }, spec: { containers } };

/** The controllers of these names, as a cluster runs them. */
function named(...wanted: readonly string[]): readonly Controller[] {
  return builtinControllers.flatMap(({ name, controller }) => (controller !== undefined && wanted.includes(name) ? [controller] : []));
}

/** Does something with each pod that runs and is not done with. */
function onRunning(name: string, isDue: (pod: Pod) => boolean, status: (pod: Pod) => Pod["status"]): Actor {
  const isRunning = (pod: object | undefined): pod is Pod =>
    pod !== undefined && "status" in pod && (pod as Pod).status?.phase === "Running" && isDue(pod as Pod);
  return {
    name,
    react({ type, object, id }, { later, client, state }) {
      if (type === "Deleted" || !id.startsWith("Pod ") || !isRunning(object)) return;
      const { uid = "" } = object.metadata;
      later(uid, 50, async () => {
        const live: object | undefined = state.withUid(uid);
        if (isRunning(live)) await client.mergePatch(Pod, live.metadata, { status: status(live) ?? {} }, { subresource: "status" });
      });
    },
  };
}

/** Pods that run have an address. */
const addressing = onRunning(
  "addressing",
  ({ status }) => status?.podIP === undefined,
  () => ({ podIP: "10.1.0.1", podIPs: [{ ip: "10.1.0.1" }] }),
);
/** Pods that run come to their end. */
const finishing = onRunning(
  "finishing",
  () => true,
  () => ({ phase: "Succeeded" }),
);

const policyStatus: readonly Loop[] = builtinControllers
  .filter(({ name }) => name === "validatingadmissionpolicy-status-controller")
  .map(({ name, start }) => ({ name, start, resources: [ValidatingAdmissionPolicy] }));

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
      user.delete(ReplicationController, at),
    ],
  },
  "a ResourceQuota": {
    controllers: named("resourcequota-controller"),
    ops: (user) => [
      user.create(ResourceQuota, { metadata, spec: { hard: { "count/configmaps": "5" } } }),
      user.create(ConfigMap, { metadata }),
      user.mergePatch(ResourceQuota, at, { spec: { hard: { "count/configmaps": "3" } } }),
      user.delete(ConfigMap, at),
    ],
  },
  "a PodDisruptionBudget": {
    controllers: named("disruption-controller", "replicaset-controller"),
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
    // They say whether somebody asked for just this volume, as whoever creates a claim with its name does.
    mask: [PersistentVolume, PersistentVolumeClaim].map((resource) => ({ resource, path: "metadata.annotations" })),
    ops: (user) => [
      user.create(PersistentVolume, {
        metadata: { name: "disk" },
        spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/disk" } },
      }),
      user.create(PersistentVolumeClaim, {
        metadata,
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "1Gi" } } },
      }),
      user.delete(PersistentVolumeClaim, at),
    ],
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
              ephemeral: {
                volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
              },
            },
          ],
        },
      }),
      user.delete(Pod, at),
    ],
  },
  "a node with a taint": {
    controllers: named("taint-eviction-controller"),
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
    loops: policyStatus,
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

/** A few plans of each sort; `KAJI_EXPLORE_RUNS=1000` tries them all. */
const { KAJI_EXPLORE_RUNS: runs = "25" } = process.env;
for (const [what, options] of Object.entries(explorations)) {
  test(`${what} comes out right whatever single thing goes wrong`, async () => {
    await explore({ ...options, runs: Number(runs), budget: "10m" }).expectNoViolations();
  });
}
