import type { JsonObject } from "@kaji/core";
import type { Scenario, ScenarioObject, ScenarioStep } from "./scenario.ts";

const template = (app: string, image: string): JsonObject => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "main", image }] },
});

const workload = (kind: "Deployment" | "ReplicaSet" | "StatefulSet", name: string, spec: JsonObject = {}): ScenarioStep => ({
  do: "create",
  object: {
    apiVersion: "apps/v1",
    kind,
    metadata: { name },
    spec: { replicas: 3, selector: { matchLabels: { app: name } }, template: template(name, "example/web:1"), ...spec },
  },
});

const image = (name: string, tag: string, kind: "DaemonSet" | "Deployment" | "StatefulSet" = "Deployment"): ScenarioStep => ({
  do: "patch",
  kind,
  name,
  patch: { spec: { template: { spec: { containers: [{ name: "main", image: `example/web:${tag}` }] } } } },
});

const scale = (kind: "Deployment" | "ReplicaSet" | "StatefulSet", name: string, replicas: number): ScenarioStep => ({
  do: "patch",
  kind,
  name,
  patch: { spec: { replicas } },
});

const configMap = (name: string, owners: readonly JsonObject[] = [], metadata: JsonObject = {}): ScenarioStep => ({
  do: "create",
  object: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...metadata, ...(owners.length === 0 ? {} : { ownerReferences: owners }) },
  },
});

const ownedBy = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name,
  uid: `{uid:ConfigMap/${name}}`,
  ...more,
});

const run: ScenarioStep = { do: "run" };

const daemonSet = (spec: JsonObject = {}): ScenarioStep => ({
  do: "create",
  object: {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent" },
    spec: { selector: { matchLabels: { app: "agent" } }, template: template("agent", "example/web:1"), ...spec },
  },
});

const statefulSet = (spec: JsonObject = {}): ScenarioStep => workload("StatefulSet", "db", { serviceName: "db", ...spec });

const pod = (name: string, labels: Readonly<Record<string, string>>): ScenarioStep => ({
  do: "create",
  object: { apiVersion: "v1", kind: "Pod", metadata: { name, labels }, spec: { containers: [{ name: "main", image: "example/web:1" }] } },
});

const controller: ScenarioObject = {
  apiVersion: "v1",
  kind: "ReplicationController",
  metadata: { name: "web" },
  spec: { replicas: 2, selector: { app: "web" }, template: template("web", "example/web:1") },
};

/** What users do with Deployments, ReplicaSets and owners. */
export const scenarios: readonly Scenario[] = [
  { name: "deployment-becomes-available", steps: [workload("Deployment", "web"), run] },
  { name: "deployment-stays-unavailable", steps: [workload("Deployment", "web"), { do: "run", ready: false }] },
  { name: "deployment-rolls-out-one", steps: [workload("Deployment", "web", { replicas: 1 }), run, image("web", "2"), run] },
  {
    name: "deployment-recreates-one",
    steps: [workload("Deployment", "web", { replicas: 1, strategy: { type: "Recreate" } }), run, image("web", "2"), run],
  },
  { name: "stateful-set-rolls-out-one", steps: [statefulSet({ replicas: 1 }), run, image("db", "2", "StatefulSet"), run] },
  { name: "deployment-rolls-out", steps: [workload("Deployment", "web"), run, image("web", "2"), run] },
  {
    name: "deployment-rolls-out-in-part",
    steps: [workload("Deployment", "web", { replicas: 10 }), run, image("web", "2"), { do: "run", ready: false }],
  },
  {
    name: "deployment-rolls-back",
    steps: [workload("Deployment", "web"), run, image("web", "2"), run, image("web", "1"), run],
  },
  {
    name: "deployment-scales",
    steps: [workload("Deployment", "web"), run, scale("Deployment", "web", 5), run, scale("Deployment", "web", 1), run],
  },
  { name: "deployment-scales-to-none", steps: [workload("Deployment", "web"), run, scale("Deployment", "web", 0), run] },
  {
    name: "deployment-scales-in-proportion",
    steps: [
      workload("Deployment", "web", { replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } }),
      run,
      image("web", "2"),
      { do: "run", ready: false },
      scale("Deployment", "web", 30),
      { do: "run", ready: false },
    ],
  },
  {
    name: "deployment-recreates",
    race: "the condition Progressing keeps the former ReplicaSet if its pods are gone before the status has told of them",
    steps: [workload("Deployment", "web", { strategy: { type: "Recreate" } }), run, image("web", "2"), run],
  },
  {
    name: "deployment-is-paused",
    steps: [
      workload("Deployment", "web"),
      run,
      { do: "patch", kind: "Deployment", name: "web", patch: { spec: { paused: true } } },
      image("web", "2"),
      scale("Deployment", "web", 4),
      run,
    ],
  },
  {
    name: "deployment-is-resumed",
    steps: [
      workload("Deployment", "web"),
      run,
      { do: "patch", kind: "Deployment", name: "web", patch: { spec: { paused: true } } },
      image("web", "2"),
      { do: "patch", kind: "Deployment", name: "web", patch: { spec: { paused: false } } },
      run,
    ],
  },
  {
    name: "deployment-keeps-some-history",
    steps: [
      workload("Deployment", "web", { replicas: 1, revisionHistoryLimit: 1 }),
      run,
      image("web", "2"),
      run,
      image("web", "3"),
      run,
      image("web", "4"),
      run,
    ],
  },
  {
    name: "deployment-has-resources",
    steps: [
      workload("Deployment", "web", {
        template: {
          metadata: { labels: { app: "web", "example.com/tier": "front" }, annotations: { note: "a b" } },
          spec: {
            containers: [
              {
                name: "main",
                image: "example/web:1",
                args: ["--port", "80"],
                env: [
                  { name: "A", value: "1" },
                  { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
                ],
                ports: [{ containerPort: 80, name: "http" }],
                resources: { requests: { cpu: "250m", memory: "64Mi" }, limits: { cpu: "1", memory: "1Gi" } },
                readinessProbe: { httpGet: { path: "/", port: "http" } },
                livenessProbe: { tcpSocket: { port: 80 } },
                volumeMounts: [{ name: "data", mountPath: "/data" }],
              },
            ],
            volumes: [{ name: "data", emptyDir: { sizeLimit: "100Mi" } }],
            securityContext: { runAsUser: 1000 },
            tolerations: [{ key: "a", operator: "Exists" }],
          },
        },
      }),
      run,
    ],
  },
  {
    name: "deployment-adopts",
    steps: [workload("ReplicaSet", "web"), run, workload("Deployment", "web"), run],
  },
  { name: "deployment-is-deleted", steps: [workload("Deployment", "web"), run, { do: "delete", kind: "Deployment", name: "web" }, run] },
  {
    name: "deployment-is-orphaned",
    steps: [
      workload("Deployment", "web"),
      run,
      { do: "delete", kind: "Deployment", name: "web", options: { propagationPolicy: "Orphan" } },
      run,
    ],
  },
  {
    name: "deployment-is-deleted-in-foreground",
    steps: [
      workload("Deployment", "web"),
      run,
      { do: "delete", kind: "Deployment", name: "web", options: { propagationPolicy: "Foreground" } },
      run,
    ],
  },
  {
    name: "deployment-exceeds-quota",
    steps: [
      { do: "create", object: { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "few" }, spec: { hard: { pods: "2" } } } },
      {
        do: "patch",
        kind: "ResourceQuota",
        name: "few",
        patch: { status: { hard: { pods: "2" }, used: { pods: "0" } } },
        subresource: "status",
      },
      workload("Deployment", "web"),
      run,
    ],
  },
  { name: "replica-set-scales", steps: [workload("ReplicaSet", "web"), run, scale("ReplicaSet", "web", 1), run] },
  { name: "replica-set-adopts", steps: [pod("stray", { app: "web" }), workload("ReplicaSet", "web"), run] },
  {
    name: "replica-set-releases",
    steps: [
      pod("stray", { app: "web" }),
      workload("ReplicaSet", "web", { replicas: 1 }),
      run,
      { do: "patch", kind: "Pod", name: "stray", patch: { metadata: { labels: { app: "other" } } } },
      run,
    ],
  },
  {
    name: "replica-set-is-orphaned",
    steps: [
      workload("ReplicaSet", "web"),
      run,
      { do: "delete", kind: "ReplicaSet", name: "web", options: { propagationPolicy: "Orphan" } },
      run,
    ],
  },
  { name: "replication-controller-runs", steps: [{ do: "create", object: controller }, run] },
  { name: "daemon-set-runs", steps: [daemonSet(), run] },
  { name: "daemon-set-rolls-out", steps: [daemonSet(), run, image("agent", "2", "DaemonSet"), run] },
  {
    name: "daemon-set-rolls-back",
    steps: [daemonSet(), run, image("agent", "2", "DaemonSet"), run, image("agent", "1", "DaemonSet"), run],
  },
  {
    name: "daemon-set-waits-for-deletion",
    steps: [daemonSet({ updateStrategy: { type: "OnDelete" } }), run, image("agent", "2", "DaemonSet"), run],
  },
  {
    name: "daemon-set-surges",
    steps: [
      daemonSet({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
      run,
      image("agent", "2", "DaemonSet"),
      run,
    ],
  },
  {
    name: "daemon-set-selects-no-node",
    steps: [
      daemonSet({
        template: {
          metadata: { labels: { app: "agent" } },
          spec: { nodeSelector: { disk: "ssd" }, containers: [{ name: "main", image: "example/web:1" }] },
        },
      }),
      run,
    ],
  },
  { name: "stateful-set-runs", steps: [statefulSet(), run] },
  { name: "stateful-set-begins-in-order", steps: [statefulSet()] },
  { name: "stateful-set-begins-in-parallel", steps: [statefulSet({ podManagementPolicy: "Parallel" })] },
  { name: "stateful-set-scales", steps: [statefulSet(), run, scale("StatefulSet", "db", 1), run] },
  { name: "stateful-set-rolls-out", steps: [statefulSet(), run, image("db", "2", "StatefulSet"), run] },
  {
    name: "stateful-set-rolls-back",
    steps: [statefulSet(), run, image("db", "2", "StatefulSet"), run, image("db", "1", "StatefulSet"), run],
  },
  {
    name: "stateful-set-rolls-out-in-part",
    steps: [statefulSet({ updateStrategy: { rollingUpdate: { partition: 2 } } }), run, image("db", "2", "StatefulSet"), run],
  },
  {
    name: "stateful-set-waits-for-deletion",
    steps: [statefulSet({ updateStrategy: { type: "OnDelete" } }), run, image("db", "2", "StatefulSet"), run],
  },
  {
    name: "stateful-set-claims-storage",
    steps: [
      statefulSet({
        replicas: 2,
        podManagementPolicy: "Parallel",
        volumeClaimTemplates: [
          { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
        ],
      }),
    ],
  },
  { name: "stateful-set-numbers-from-five", steps: [statefulSet({ replicas: 2, ordinals: { start: 5 } }), run] },
  {
    name: "owner-is-deleted",
    steps: [configMap("owner"), configMap("child", [ownedBy("owner")]), { do: "delete", kind: "ConfigMap", name: "owner" }],
  },
  {
    name: "one-of-two-owners-is-deleted",
    steps: [
      configMap("one"),
      configMap("two"),
      configMap("child", [ownedBy("one"), ownedBy("two")]),
      { do: "delete", kind: "ConfigMap", name: "one" },
    ],
  },
  {
    name: "owner-waits-for-blocking-child",
    steps: [
      configMap("owner"),
      configMap("child", [ownedBy("owner", { blockOwnerDeletion: true })], { finalizers: ["example.com/hold"] }),
      configMap("free", [ownedBy("owner")]),
      { do: "delete", kind: "ConfigMap", name: "owner", options: { propagationPolicy: "Foreground" } },
    ],
  },
  {
    name: "owner-goes-when-child-has-gone",
    steps: [
      configMap("owner"),
      configMap("child", [ownedBy("owner", { blockOwnerDeletion: true })], { finalizers: ["example.com/hold"] }),
      { do: "delete", kind: "ConfigMap", name: "owner", options: { propagationPolicy: "Foreground" } },
      { do: "patch", kind: "ConfigMap", name: "child", patch: { metadata: { finalizers: null } } },
    ],
  },
  {
    name: "children-are-orphaned",
    steps: [
      configMap("owner"),
      configMap("child", [ownedBy("owner")]),
      { do: "delete", kind: "ConfigMap", name: "owner", options: { propagationPolicy: "Orphan" } },
    ],
  },
  {
    name: "owner-never-was",
    steps: [configMap("child", [{ apiVersion: "v1", kind: "ConfigMap", name: "none", uid: "11111111-1111-1111-1111-111111111111" }])],
  },
];
