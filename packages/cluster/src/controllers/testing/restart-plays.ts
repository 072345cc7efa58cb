import type { Resource } from "@kaji/core";
import { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { ValidatingAdmissionPolicy } from "@kaji/types/admissionregistration/v1";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import { CronJob, Job } from "@kaji/types/batch/v1";
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
import type { PodTemplateSpec } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import { ServiceCIDR } from "@kaji/types/networking/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { VolumeAttributesClass } from "@kaji/types/storage/v1";
import type { Cluster } from "../../cluster.ts";

/** What a user does, which parts of the cluster have to do with it, and what is looked at in the end. */
export interface Play {
  /** The names of controllers, `kubelet` or `default-scheduler`. */
  readonly parts: readonly string[];
  readonly kinds: readonly Resource[];
  /** `pass` lets time go by, and happen what is due in it. */
  readonly act: (cluster: Cluster, pass: (ms: number) => Promise<void>) => Promise<void>;
}

const labels = { app: "web" };
const selector = { matchLabels: labels };
const web = { namespace: "default", name: "web" };

/** One for each thing that controllers do. */
export const restartPlays: Readonly<Record<string, Play>> = {
  "a Deployment is rolled out, and another image": {
    parts: ["deployment-controller", "replicaset-controller"],
    kinds: [Deployment, ReplicaSet, Pod],
    async act({ client }, pass) {
      await client.create(Deployment, { metadata: web, spec: { replicas: 1, selector, template: template() } });
      await pass(1000);
      const containers = [{ name: "main", image: "example/web:2" }];
      await client.strategicPatch(Deployment, web, { spec: { template: { spec: { containers } } } });
      await pass(1000);
    },
  },
  "a ReplicationController takes a pod, and is made smaller": {
    parts: ["replicationcontroller-controller"],
    kinds: [ReplicationController, Pod],
    async act({ client }, pass) {
      await client.create(Pod, { ...template(), metadata: { namespace: "default", name: "stray", labels } });
      await client.create(ReplicationController, { metadata: web, spec: { replicas: 3, selector: labels, template: template() } });
      await pass(1000);
      await client.mergePatch(ReplicationController, web, { spec: { replicas: 1 } });
      await pass(1000);
    },
  },
  "a HorizontalPodAutoscaler scales up, and down again": {
    parts: ["horizontal-pod-autoscaler-controller"],
    kinds: [HorizontalPodAutoscaler, Deployment],
    async act({ client, pods }, pass) {
      const usage = pods.match({ matchLabels: labels }).use({ cpu: "100m" });
      const spec = { containers: [{ name: "main", image: "example/web:1", resources: { requests: { cpu: "100m" } } }] };
      await client.create(Deployment, { metadata: web, spec: { replicas: 1, selector, template: { ...template(), spec } } });
      const metrics = [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }];
      const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
      await client.create(HorizontalPodAutoscaler, { metadata: web, spec: { scaleTargetRef, maxReplicas: 2, metrics } });
      await pass(40_000);
      usage.use({ cpu: "1m" });
      await pass(400_000);
    },
  },
  "a DaemonSet is rolled out": {
    parts: ["daemonset-controller"],
    kinds: [DaemonSet, ControllerRevision, Pod],
    async act({ client }, pass) {
      await client.create(DaemonSet, { metadata: web, spec: { selector, template: template() } });
      await pass(1000);
      await client.strategicPatch(DaemonSet, web, { spec: { template: { metadata: { annotations: { to: "another" } } } } });
      await pass(1000);
    },
  },
  "a StatefulSet with volumes is rolled out": {
    parts: ["statefulset-controller"],
    kinds: [StatefulSet, ControllerRevision, Pod, PersistentVolumeClaim],
    async act({ client }, pass) {
      const claim = { metadata: { name: "data" }, spec: claimSpec };
      const spec = { replicas: 1, selector, template: template(), serviceName: "web", volumeClaimTemplates: [claim] };
      await client.create(StatefulSet, { metadata: web, spec });
      await pass(1000);
      await client.strategicPatch(StatefulSet, web, { spec: { template: { metadata: { annotations: { to: "another" } } } } });
      await pass(1000);
    },
  },
  "an owner goes, with its children before it": {
    parts: ["garbage-collector-controller"],
    kinds: [ConfigMap],
    async act({ client }, pass) {
      const owner = await client.create(ConfigMap, { metadata: { namespace: "default", name: "owner" } });
      const { uid = "" } = owner.metadata;
      const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, blockOwnerDeletion: true }];
      for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { namespace: "default", name, ownerReferences } });
      await pass(1000);
      await client.delete(ConfigMap, owner.metadata, { propagationPolicy: "Foreground" });
      await pass(10_000);
    },
  },
  "a Job fails, then succeeds, and goes after a while": {
    parts: ["job-controller", "ttl-after-finished-controller"],
    kinds: [Job, Pod],
    async act({ client, pods }, pass) {
      const script = pods.match({}).exit(1);
      for (const [name, ttl] of [
        ["kept", {}],
        ["work", { ttlSecondsAfterFinished: 10 }],
      ] as const) {
        await client.create(Job, { metadata: { namespace: "default", name }, spec: { template: once(), ...ttl } });
      }
      await pass(5000);
      script.exit(0);
      await pass(40_000);
    },
  },
  "an indexed Job of which one index fails": {
    parts: ["job-controller"],
    kinds: [Job, Pod],
    async act({ client, pods }, pass) {
      pods.match("batch.kubernetes.io/job-completion-index=1").exit(1);
      const spec = { completions: 2, parallelism: 2, completionMode: "Indexed", backoffLimitPerIndex: 1 } as const;
      await client.create(Job, { metadata: { namespace: "default", name: "work" }, spec: { ...spec, template: once() } });
      await pass(30_000);
    },
  },
  "a CronJob": {
    parts: ["cronjob-controller"],
    kinds: [CronJob, Job],
    async act({ client }, pass) {
      const spec = { schedule: "* * * * *", jobTemplate: { spec: { template: once() } }, concurrencyPolicy: "Replace" } as const;
      await client.create(CronJob, { metadata: { namespace: "default", name: "tick" }, spec });
      await pass(150_000);
    },
  },
  "a claim, and its volume": {
    parts: ["persistentvolume-binder-controller", "persistentvolumeclaim-protection-controller", "persistentvolume-protection-controller"],
    kinds: [PersistentVolumeClaim, PersistentVolume],
    async act({ client }, pass) {
      const volume = { hostPath: { path: "/data" }, capacity: { storage: "2Gi" }, accessModes: ["ReadWriteOnce"] } as const;
      await client.create(PersistentVolume, { metadata: { name: "data" }, spec: volume });
      for (const name of ["kept", "given-up"]) {
        await client.create(PersistentVolumeClaim, {
          metadata: { namespace: "default", name },
          spec: { ...claimSpec, storageClassName: "" },
        });
        await pass(1000);
      }
      await pass(10_000);
      await client.delete(PersistentVolumeClaim, { namespace: "default", name: "given-up" });
      await pass(10_000);
    },
  },
  "a class of attributes outlives the claim that has it": {
    parts: ["persistentvolumeclaim-protection-controller", "volumeattributesclass-protection-controller"],
    kinds: [PersistentVolumeClaim, VolumeAttributesClass],
    async act({ client }, pass) {
      for (const name of ["gold", "silver"]) {
        await client.create(VolumeAttributesClass, { metadata: { name }, driverName: "example.com", parameters: { speed: name } });
        await client.create(PersistentVolumeClaim, {
          metadata: { namespace: "default", name },
          spec: { ...claimSpec, storageClassName: "", volumeAttributesClassName: name },
        });
        await client.delete(VolumeAttributesClass, { name });
      }
      await pass(1000);
      await client.delete(PersistentVolumeClaim, { namespace: "default", name: "gold" });
      await pass(10_000);
    },
  },
  "a range of addresses outlives the Service that needs it": {
    parts: ["service-cidr-controller"],
    kinds: [ServiceCIDR],
    async act({ client }, pass) {
      for (const [index, name] of ["needed", "idle"].entries()) {
        await client.create(ServiceCIDR, { metadata: { name }, spec: { cidrs: [`10.${index + 7}.0.0/24`] } });
      }
      await client.create(Service, { metadata: web, spec: { clusterIP: "10.7.0.9", ports: [{ port: 80 }] } });
      await pass(1000);
      for (const name of ["needed", "idle"]) await client.delete(ServiceCIDR, { name });
      await pass(20_000);
      await client.delete(Service, web);
      await pass(20_000);
    },
  },
  "a volume lives as long as its pod": {
    parts: ["ephemeral-volume-controller", "persistentvolume-binder-controller"],
    kinds: [PersistentVolumeClaim, PersistentVolume, Pod],
    async act({ client }, pass) {
      const volumes = [{ name: "data", ephemeral: { volumeClaimTemplate: { spec: claimSpec } } }];
      for (const name of ["a", "b"]) {
        await client.create(Pod, { metadata: { namespace: "default", name }, spec: { ...template().spec, volumes } });
        await pass(1000);
      }
      await client.delete(Pod, { namespace: "default", name: "a" });
      await pass(20_000);
    },
  },
  "a Service with its budget and quota": {
    parts: ["disruption-controller", "endpoints-controller", "endpointslice-controller", "resourcequota-controller"],
    kinds: [Endpoints, EndpointSlice, PodDisruptionBudget, ResourceQuota],
    async act({ client }, pass) {
      await client.create(ResourceQuota, { metadata: web, spec: { hard: { services: "5" } } });
      await pass(1000);
      await client.create(Service, { metadata: web, spec: { selector: labels, ports: [{ port: 80 }] } });
      await client.create(PodDisruptionBudget, { metadata: web, spec: { selector, minAvailable: 1 } });
      for (const name of ["a", "b"]) await client.create(Pod, { ...template(), metadata: { namespace: "default", name, labels } });
      await pass(10_000);
      await client.delete(Pod, { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
      await pass(10_000);
    },
  },
  "Endpoints that a user made are mirrored": {
    parts: ["endpointslice-mirroring-controller"],
    kinds: [Endpoints, EndpointSlice],
    async act({ client }, pass) {
      await client.create(Service, { metadata: web, spec: { ports: [{ port: 80 }] } });
      const subsets = [{ addresses: [{ ip: "192.0.2.1" }, { ip: "192.0.2.2" }], ports: [{ port: 80 }] }];
      await client.create(Endpoints, { metadata: web, subsets });
      await pass(1000);
      await client.mergePatch(Endpoints, web, { subsets: [{ addresses: [{ ip: "192.0.2.3" }], ports: [{ port: 80 }] }] });
      await pass(1000);
    },
  },
  "a node falls silent, and its pods go": {
    parts: ["node-lifecycle-controller", "taint-eviction-controller", "pod-garbage-collector-controller"],
    kinds: [Node, Pod],
    async act({ client }, pass) {
      await client.create(Node, { metadata: { name: "silent" } });
      await pass(1000);
      const spec = { ...template().spec, nodeName: "silent", terminationGracePeriodSeconds: 0 };
      await client.create(Pod, { metadata: { namespace: "default", name: "alone", finalizers: [] }, spec });
      await pass(400_000);
      await client.delete(Node, { name: "silent" });
      await pass(120_000);
    },
  },
  "a policy is looked through": {
    parts: ["validatingadmissionpolicy-status-controller"],
    kinds: [ValidatingAdmissionPolicy],
    async act({ client }, pass) {
      const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] } as const];
      const validations = [{ expression: "object.data.nothing.size() > 1" }];
      await client.create(ValidatingAdmissionPolicy, {
        metadata: { name: "web" },
        spec: { matchConstraints: { resourceRules }, validations },
      });
      await pass(1000);
    },
  },
  "pods are given nodes, and run": {
    parts: ["default-scheduler", "kubelet"],
    kinds: [Pod],
    async act({ client }, pass) {
      const image = "busybox";
      const lives = { web: "sleep infinity", crash: "exit 1", work: "sleep 2" };
      for (const [name, script] of Object.entries(lives)) {
        const containers = [{ name: "main", image, command: ["sh", "-c", script] }];
        await client.create(Pod, { metadata: { namespace: "default", name }, spec: { containers, restartPolicy: "OnFailure" } });
      }
      await pass(5000);
      await client.delete(Pod, web);
      await pass(5000);
    },
  },
};

const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } as const;

function template(): PodTemplateSpec & { readonly spec: NonNullable<PodTemplateSpec["spec"]> } {
  return { metadata: { labels }, spec: { containers: [{ name: "main", image: "example/web:1" }] } };
}

function once(): PodTemplateSpec {
  return { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox", command: ["true"] }] } };
}
