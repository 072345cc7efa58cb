import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const namespaces = callsTo("/api/v1/namespaces");
const nodes = callsTo("/api/v1/nodes");
const volumes = callsTo("/api/v1/persistentvolumes");
const claims = callsTo("/api/v1/namespaces/core-kinds/persistentvolumeclaims");

const disk = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };
const claimed = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

function triedVolume(spec: JsonObject): Step {
  return volumes.create({ metadata: { name: "tried" }, spec }, "?dryRun=All");
}

function triedClaim(spec: JsonObject): Step {
  return claims.create({ metadata: { name: "tried" }, spec }, "?dryRun=All");
}

/** Namespaces, nodes and volumes. */
export const clusterObjectScenarios: readonly Scenario[] = [
  {
    name: "D8 namespace life cycle",
    steps: [
      namespaces.create({
        metadata: { name: "core-kinds-a", labels: { a: "b", "kubernetes.io/metadata.name": "wrong" } },
        spec: { finalizers: ["example.com/mine"] },
      }),
      namespaces.table("core-kinds-a"),
      namespaces.patch("core-kinds-a", { metadata: { labels: { "kubernetes.io/metadata.name": "other" } }, spec: { finalizers: [] } }),
      namespaces.patch("core-kinds-a/status", { status: { phase: "Terminating" } }),
      namespaces.patch("core-kinds-a/status", { status: { conditions: [{ type: "Ok", status: "True" }] } }),
      namespaces.list("?fieldSelector=status.phase=Active,metadata.name=core-kinds-a"),
      namespaces.list("?fieldSelector=spec.finalizers=x"),
      namespaces.remove("core-kinds-a"),
      namespaces.table("core-kinds-a"),
      namespaces.remove("core-kinds-a"),
      { method: "POST", path: "/api/v1/namespaces/core-kinds-a/configmaps", body: { metadata: { name: "late" } } },
      namespaces.replace("core-kinds-a/finalize", {
        metadata: { name: "core-kinds-a" },
        spec: { finalizers: ["odd", "example.com/mine"] },
      }),
      namespaces.replace("core-kinds-a/finalize", { metadata: { name: "core-kinds-a" }, spec: { finalizers: ["example.com/mine"] } }),
      namespaces.replace("core-kinds-a/finalize", { metadata: { name: "core-kinds-a" }, spec: { finalizers: [] } }),
      namespaces.get("core-kinds-a"),
    ],
  },
  {
    name: "C14 namespace rules",
    steps: [
      namespaces.create({ metadata: { name: "With.Dots" } }),
      namespaces.create({ metadata: { name: "core-kinds-b" }, spec: { finalizers: ["odd"] } }),
      namespaces.create({ metadata: { generateName: "core-kinds-" } }, "?dryRun=All"),
      namespaces.create({ metadata: { name: "inside", namespace: "other" } }),
      namespaces.remove("default"),
      namespaces.remove("kube-system"),
      { method: "DELETE", path: "/api/v1/namespaces" },
      { method: "POST", path: "/api/v1/namespaces/no-such-namespace/configmaps", body: { metadata: { name: "lost" } } },
    ],
  },
  {
    name: "C7 C13 X2 node life cycle",
    steps: [
      nodes.create({
        metadata: { name: "core-kinds-node", labels: { "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "worker" } },
        spec: { podCIDR: "10.244.9.0/24", unschedulable: true, externalID: "x" },
        status: {
          capacity: { cpu: "4", memory: "8Gi", pods: "110" },
          addresses: [
            { type: "InternalIP", address: "10.1.1.1" },
            { type: "Hostname", address: "h" },
          ],
          conditions: [{ type: "Ready", status: "False" }],
          nodeInfo: {
            kubeletVersion: "v1.36.3",
            osImage: "Linux",
            kernelVersion: "6.1",
            architecture: "amd64",
            containerRuntimeVersion: "containerd://2",
          },
        },
      }),
      nodes.table("core-kinds-node"),
      nodes.create({ metadata: { name: "core-kinds-bare" } }),
      nodes.table("core-kinds-bare"),
      nodes.patch("core-kinds-node", { spec: { unschedulable: null, taints: null }, status: { phase: "Running" } }),
      nodes.patch("core-kinds-node/status", {
        metadata: { labels: { a: "b" } },
        spec: { unschedulable: true },
        status: { allocatable: { cpu: "3500m" }, conditions: [{ type: "Ready", status: "True" }] },
      }),
      nodes.patch("core-kinds-node/status", {
        status: {
          addresses: [
            { type: "Hostname", address: "h" },
            { type: "Hostname", address: "h" },
          ],
          capacity: { pods: "1500m" },
        },
      }),
      nodes.patch("core-kinds-node", { spec: { podCIDR: "10.244.8.0/24", podCIDRs: null, externalID: "y" } }),
      nodes.patch("core-kinds-node", {
        spec: {
          taints: [
            { key: "a b", effect: "Odd" },
            { key: "c", value: "d e" },
            { key: "f", effect: "NoExecute" },
            { key: "f", effect: "NoExecute" },
          ],
        },
      }),
      nodes.patch("core-kinds-node", { spec: { providerID: "one" } }),
      nodes.patch("core-kinds-node", { spec: { providerID: "two" } }),
      nodes.list("?fieldSelector=spec.unschedulable=true"),
      nodes.list("?fieldSelector=spec.unschedulable=false,metadata.name=core-kinds-node"),
      nodes.create({ metadata: { name: "Upper" }, spec: { podCIDRs: ["10.9.0.1/24", "10.8.0.0/16"] } }),
      nodes.remove("core-kinds-node"),
    ],
  },
  {
    name: "C13 X2 persistent volume life cycle",
    steps: [
      volumes.create({ metadata: { name: "core-kinds-disk" }, spec: { ...disk, hostPath: { path: "/data" } }, status: { phase: "Bound" } }),
      volumes.table("core-kinds-disk"),
      volumes.patch("core-kinds-disk/status", { status: { phase: "Available" } }),
      volumes.patch("core-kinds-disk/status", { status: { phase: "Available", reason: "because" } }),
      volumes.patch("core-kinds-disk", {
        spec: { claimRef: { namespace: "core-kinds", name: "data" }, storageClassName: "fast", persistentVolumeReclaimPolicy: "Delete" },
      }),
      volumes.patch("core-kinds-disk", { spec: { volumeMode: "Block" } }),
      volumes.patch("core-kinds-disk", { spec: { hostPath: { path: "/other" } } }),
      volumes.patch("core-kinds-disk", { metadata: { labels: { "a b": "c" } } }),
      volumes.remove("core-kinds-disk"),
      volumes.table("core-kinds-disk"),
      volumes.patch("core-kinds-disk", { metadata: { finalizers: null } }),
      triedVolume({
        ...disk,
        iscsi: { targetPortal: "10.1.1.1", iqn: "iqn.2001-04.com.example:disk", lun: 0 },
        volumeMode: "Block",
        persistentVolumeReclaimPolicy: "Recycle",
      }),
      triedVolume({
        ...disk,
        csi: { driver: "csi.example.com", volumeHandle: "h" },
        mountOptions: ["ro"],
        volumeAttributesClassName: "gold",
      }),
      triedVolume({
        ...disk,
        local: { path: "/mnt" },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }] }] } },
      }),
    ],
  },
  {
    name: "C14 persistent volume rules",
    steps: [
      triedVolume({}),
      triedVolume({ ...disk, capacity: { storage: "0", cpu: "1" }, hostPath: { path: "/a/../b" } }),
      triedVolume({
        ...disk,
        accessModes: ["Odd", "ReadWriteOncePod", "ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Odd",
        volumeMode: "Odd",
        hostPath: { path: "/x" },
        nfs: { server: "s", path: "/p" },
      }),
      triedVolume({ ...disk, local: { path: "/mnt" } }),
      triedVolume({ ...disk, hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle", storageClassName: "Not Ok" }),
      triedVolume({ ...disk, csi: { driver: "", nodePublishSecretRef: { name: "x" } }, volumeAttributesClassName: "" }),
      triedVolume({ ...disk, cephfs: { monitors: ["a"] }, nodeAffinity: {} }),
    ],
  },
  {
    name: "C13 X2 persistent volume claim life cycle",
    steps: [
      claims.create({ metadata: { name: "data" }, spec: claimed, status: { phase: "Bound" } }),
      claims.table("data"),
      claims.patch("data", { spec: { volumeName: "disk", storageClassName: "fast" } }),
      claims.patch("data", { spec: { volumeName: "other" } }),
      claims.patch("data", { spec: { resources: { requests: { storage: "2Gi" } } } }),
      claims.patch("data/status", {
        status: { phase: "Bound", accessModes: ["ReadWriteOnce", "ReadOnlyMany"], capacity: { storage: "1Gi" } },
      }),
      claims.patch("data", { spec: { resources: { requests: { storage: "512Mi" } } } }),
      claims.patch("data/status", { status: { capacity: { storage: "-1" }, allocatedResourceStatuses: { cpu: "Odd" } } }),
      claims.table("data"),
      claims.remove("data"),
      claims.table("data"),
      claims.patch("data", { metadata: { finalizers: null } }),
      triedClaim({ ...claimed, volumeMode: "Block", dataSource: { kind: "PersistentVolumeClaim", name: "src" } }),
      triedClaim({ ...claimed, dataSource: { apiGroup: "example.com", kind: "Odd", name: "src" } }),
      triedClaim({ ...claimed, dataSourceRef: { apiGroup: "example.com", kind: "Odd", name: "src" } }),
      triedClaim({ ...claimed, resources: { requests: { storage: "1500m" } } }),
    ],
  },
  {
    name: "C14 persistent volume claim rules",
    steps: [
      triedClaim({}),
      triedClaim({
        accessModes: ["Odd"],
        resources: { requests: { storage: "-1Gi" } },
        storageClassName: "Not Ok",
        volumeMode: "Odd",
        selector: { matchLabels: { "a b": "c" } },
      }),
      triedClaim({ ...claimed, dataSourceRef: { kind: "Odd", name: "" } }),
      triedClaim({
        ...claimed,
        dataSource: { kind: "PersistentVolumeClaim", name: "a" },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
      }),
      triedClaim({ ...claimed, volumeAttributesClassName: "Not Ok" }),
      claims.create({ metadata: { name: "Upper" }, spec: claimed }),
    ],
  },
];
