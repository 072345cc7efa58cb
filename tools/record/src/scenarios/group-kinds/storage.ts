import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const classes = callsTo("/apis/storage.k8s.io/v1/storageclasses");
const attributes = callsTo("/apis/storage.k8s.io/v1/volumeattributesclasses");
const drivers = callsTo("/apis/storage.k8s.io/v1/csidrivers");
const nodes = callsTo("/apis/storage.k8s.io/v1/csinodes");
const capacities = callsTo("/apis/storage.k8s.io/v1/namespaces/group-kinds/csistoragecapacities");
const attachments = callsTo("/apis/storage.k8s.io/v1/volumeattachments");

/** The kinds of storage.k8s.io. */
export const storageScenarios: readonly Scenario[] = [
  {
    name: "C13 C14 D2 X2 storage class",
    steps: [
      classes.create({
        metadata: { name: "group-fast", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
        provisioner: "example.com/disk",
        parameters: { type: "ssd" },
      }),
      classes.table("group-fast"),
      classes.patch("group-fast", { parameters: { type: "hdd" }, reclaimPolicy: "Retain" }),
      classes.patch("group-fast", { allowVolumeExpansion: true }),
      classes.create({ metadata: { name: "group-bad" } }),
      classes.create({
        metadata: { name: "group-bad" },
        provisioner: "a b",
        reclaimPolicy: "Recycle",
        volumeBindingMode: "Later",
        allowedTopologies: [{ matchLabelExpressions: [{ key: "a b", values: [] }] }],
      }),
      classes.create({
        metadata: { name: "group-old" },
        provisioner: "x",
        allowedTopologies: [{ matchLabelExpressions: [{ key: "failure-domain.beta.kubernetes.io/zone", values: ["a"] }] }],
      }),
      classes.remove("group-fast"),
      attributes.create({ metadata: { name: "group-gold" }, driverName: "example.com", parameters: { iops: "100" } }),
      attributes.table("group-gold"),
      attributes.patch("group-gold", { driverName: "other.com", parameters: { iops: "5" } }),
      attributes.create({ metadata: { name: "group-bad" } }),
      attributes.remove("group-gold"),
    ],
  },
  {
    name: "C4 C13 C14 D2 X2 CSI objects",
    steps: [
      drivers.create({ metadata: { name: "group.example.com" } }),
      drivers.create({
        metadata: { name: "group2.example.com" },
        spec: { tokenRequests: [{ audience: "vault" }], volumeLifecycleModes: ["Ephemeral", "Persistent"] },
      }),
      drivers.table("group2.example.com"),
      drivers.patch("group.example.com", { spec: { podInfoOnMount: true } }),
      drivers.patch("group.example.com", { spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } }),
      drivers.create({
        metadata: { name: "group-bad" },
        spec: {
          fsGroupPolicy: "Some",
          volumeLifecycleModes: ["Never"],
          nodeAllocatableUpdatePeriodSeconds: 1,
          serviceAccountTokenInSecrets: true,
        },
      }),
      drivers.remove("group.example.com"),
      nodes.create({
        metadata: { name: "group-node" },
        spec: { drivers: [{ name: "d.example.com", nodeID: "1", topologyKeys: ["zone"] }] },
      }),
      nodes.create({ metadata: { name: "group-none" }, spec: { drivers: [] } }),
      nodes.table("group-node"),
      nodes.patch("group-node", { spec: { drivers: [{ name: "d.example.com", nodeID: "2", topologyKeys: ["zone"] }] } }),
      nodes.create({
        metadata: { name: "group-bad" },
        spec: {
          drivers: [
            { name: "", nodeID: "" },
            { name: "A_b", nodeID: "x", topologyKeys: ["a", "a"], allocatable: { count: -1 } },
          ],
        },
      }),
      capacities.create({
        metadata: { name: "room" },
        storageClassName: "fast",
        capacity: "1024Mi",
        nodeTopology: { matchLabels: { zone: "a" } },
      }),
      capacities.table(),
      capacities.patch("room", { capacity: "5Gi" }),
      capacities.patch("room", { storageClassName: "slow", metadata: { resourceVersion: "{{12.metadata.resourceVersion}}" } }),
      capacities.create({ metadata: { name: "bad" }, storageClassName: "A b", capacity: "-1" }),
      capacities.remove("room"),
    ],
  },
  {
    name: "C7 C14 D2 X2 volume attachment",
    steps: [
      attachments.create({
        metadata: { name: "group-va" },
        spec: { attacher: "d.example.com", nodeName: "n1", source: { persistentVolumeName: "pv1" } },
        status: { attached: true },
      }),
      attachments.table("group-va"),
      attachments.patch("group-va/status", { metadata: { labels: { a: "b" } }, status: { attached: true } }),
      attachments.patch("group-va", { spec: { nodeName: "n2" } }),
      attachments.create({ metadata: { name: "group-bad" }, spec: { attacher: "", nodeName: "", source: {} } }),
      attachments.remove("group-va"),
    ],
  },
];
