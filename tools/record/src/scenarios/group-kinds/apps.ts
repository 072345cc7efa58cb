import type { JsonObject } from "@kaji/core";
import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const deployments = callsTo("/apis/apps/v1/namespaces/group-kinds/deployments");
const replicaSets = callsTo("/apis/apps/v1/namespaces/group-kinds/replicasets");
const statefulSets = callsTo("/apis/apps/v1/namespaces/group-kinds/statefulsets");
const daemonSets = callsTo("/apis/apps/v1/namespaces/group-kinds/daemonsets");
const revisions = callsTo("/apis/apps/v1/namespaces/group-kinds/controllerrevisions");

const labels = { app: "web" };
const selector = { matchLabels: labels };
const containers = [{ name: "web", image: "nginx:1.27" }];
const template = { metadata: { labels }, spec: { containers } };
const web: JsonObject = { selector, template };

const scale = (replicas: number): JsonObject => ({
  kind: "Scale",
  apiVersion: "autoscaling/v1",
  metadata: { name: "web", namespace: "group-kinds" },
  spec: { replicas },
});

/** The kinds of apps. */
export const appsScenarios: readonly Scenario[] = [
  {
    name: "C6 C7 C13 X2 deployment life cycle",
    steps: [
      deployments.create({ metadata: { name: "web" }, spec: web, status: { replicas: 3 } }),
      deployments.create({
        metadata: { name: "all", labels: { a: "b" }, annotations: { c: "d" } },
        spec: {
          ...web,
          replicas: 0,
          minReadySeconds: 5,
          paused: true,
          revisionHistoryLimit: 2,
          progressDeadlineSeconds: 60,
          strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 2 } },
        },
      }),
      deployments.create({ metadata: { name: "recreate" }, spec: { ...web, strategy: { type: "Recreate" } } }),
      deployments.patch("web", { metadata: { annotations: { note: "x" } } }),
      deployments.patch("web", { metadata: { labels: { note: "x" } } }),
      deployments.patch("web", { spec: { template: { spec: { containers: [{ name: "web", image: "nginx:1.28" }] } } } }, "strategic"),
      deployments.patch("web", {
        metadata: { labels: { via: "status" }, annotations: { via: "status" } },
        spec: { replicas: 9 },
        status: {
          observedGeneration: 3,
          replicas: 3,
          readyReplicas: 2,
          updatedReplicas: 1,
          availableReplicas: 1,
          collisionCount: 1,
          conditions: [{ type: "Available", status: "True" }],
        },
      }),
      deployments.patch("web/status", {
        metadata: { labels: { via: "status" }, annotations: { via: "status" } },
        spec: { replicas: 9 },
        status: {
          observedGeneration: 3,
          replicas: 3,
          readyReplicas: 2,
          updatedReplicas: 1,
          availableReplicas: 1,
          collisionCount: 1,
          conditions: [{ type: "Available", status: "True" }],
        },
      }),
      deployments.patch("web/status", {
        status: { replicas: 1, readyReplicas: 2, availableReplicas: 5, updatedReplicas: -1, collisionCount: 0 },
      }),
      deployments.table(),
      deployments.table("web"),
      deployments.remove("web", { propagationPolicy: "Foreground" }),
      deployments.remove("all"),
      deployments.list("?labelSelector=a"),
    ],
  },
  {
    name: "C14 deployment rules",
    steps: [
      deployments.create({ metadata: { name: "web" }, spec: web }),
      deployments.patch("web", { spec: { selector: { matchLabels: { app: "other" } } } }),
      deployments.create({ metadata: { name: "bad" }, spec: {} }),
      deployments.create({ metadata: { name: "bad" }, spec: { ...web, selector: {} } }),
      deployments.create({ metadata: { name: "bad" }, spec: { ...web, selector: { matchLabels: { app: "a b" } } } }),
      deployments.create({
        metadata: { name: "bad" },
        spec: { ...web, replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -5 },
      }),
      deployments.create({ metadata: { name: "bad" }, spec: { ...web, strategy: { type: "Blue" } } }),
      deployments.create({ metadata: { name: "bad" }, spec: { ...web, strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } } }),
      deployments.create({
        metadata: { name: "bad" },
        spec: { ...web, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: "0%" } } },
      }),
      deployments.create({
        metadata: { name: "bad" },
        spec: { ...web, strategy: { rollingUpdate: { maxSurge: "many", maxUnavailable: "101%" } } },
      }),
      deployments.create({
        metadata: { name: "bad" },
        spec: { selector, template: { metadata: { labels }, spec: { containers, restartPolicy: "Never", activeDeadlineSeconds: 5 } } },
      }),
      deployments.create({ metadata: { name: "bad" }, spec: { ...web, replicas: "3" } }),
      deployments.create({ metadata: { name: "bad" }, spec: { ...web, replica: 3 } }, "?fieldValidation=Strict"),
      deployments.create({ metadata: { name: "web.dots" }, spec: web }),
      deployments.create({
        metadata: { name: "old" },
        spec: { selector, template: { metadata: { labels }, spec: { containers, nodeSelector: { "beta.kubernetes.io/os": "linux" } } } },
      }),
      deployments.patch("old", { metadata: { labels: { a: "b" } } }),
      deployments.patch("old", { spec: { replicas: 2 } }),
      deployments.create({ metadata: { name: "a_b" }, spec: web }),
    ],
  },
  {
    name: "C8 A2 scale of a deployment",
    steps: [
      deployments.create({ metadata: { name: "web" }, spec: { ...web, replicas: 2 } }),
      deployments.get("web/scale"),
      deployments.replace("web/scale", scale(5)),
      deployments.patch("web/scale", { spec: { replicas: 3 } }),
      deployments.patch("web/scale", { spec: { replicas: -3 } }),
      deployments.replace("web/scale", scale(0)),
      deployments.get("web"),
    ],
  },
  {
    name: "A5 apply of a deployment",
    steps: [
      deployments.patch("web", { kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "web" }, spec: web }, "apply"),
      deployments.patch(
        "web",
        {
          kind: "Deployment",
          apiVersion: "apps/v1",
          metadata: { name: "web" },
          spec: {
            ...web,
            replicas: 2,
            template: {
              metadata: { labels },
              spec: { containers: [{ name: "web", image: "nginx:1.28", ports: [{ containerPort: 80 }] }] },
            },
          },
        },
        "apply",
      ),
      deployments.patch(
        "web/status",
        { kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "web" }, status: { replicas: 2 } },
        "apply",
      ),
    ],
  },
  {
    name: "C6 C13 C14 X2 replica set",
    steps: [
      replicaSets.create({ metadata: { name: "web" }, spec: web }),
      replicaSets.patch("web", { spec: { replicas: 3 } }),
      replicaSets.patch("web/status", {
        metadata: { labels: { a: "b" } },
        status: { replicas: 3, readyReplicas: 1, fullyLabeledReplicas: 3 },
      }),
      replicaSets.patch("web/status", { status: { replicas: 0 } }),
      replicaSets.table(),
      replicaSets.list("?fieldSelector=status.replicas=3"),
      replicaSets.list("?fieldSelector=spec.replicas=3"),
      replicaSets.patch("web", { spec: { selector: null } }),
      replicaSets.get("web/scale"),
      replicaSets.create({
        metadata: { name: "bad" },
        spec: { selector: { matchExpressions: [{ key: "a", operator: "Near", values: [] }] } },
      }),
      replicaSets.remove("web", { propagationPolicy: "Orphan" }),
    ],
  },
  {
    name: "C6 C13 C14 X2 stateful set",
    steps: [
      statefulSets.create({ metadata: { name: "db" }, spec: { ...web, serviceName: "db" } }),
      statefulSets.create({
        metadata: { name: "disks" },
        spec: {
          ...web,
          serviceName: "disks",
          replicas: 2,
          podManagementPolicy: "Parallel",
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1, maxUnavailable: 2 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" },
          ordinals: { start: 1 },
          volumeClaimTemplates: [
            { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } } },
          ],
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "db", image: "postgres", volumeMounts: [{ name: "data", mountPath: "/data" }] }] },
          },
        },
      }),
      statefulSets.create({
        metadata: { name: "ondelete" },
        spec: { ...web, updateStrategy: { type: "OnDelete" }, revisionHistoryLimit: -1 },
      }),
      statefulSets.patch("db", { spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } } }),
      statefulSets.patch("db", { spec: { serviceName: "other" } }),
      statefulSets.patch("db/status", { status: { replicas: 3, readyReplicas: 1, currentRevision: "r", collisionCount: 2 } }),
      statefulSets.patch("db/status", { status: { replicas: 1, readyReplicas: 2, collisionCount: 1 } }),
      statefulSets.table(),
      statefulSets.get("db/scale"),
      statefulSets.replace("db/scale", { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { name: "db" }, spec: { replicas: 4 } }),
      statefulSets.create({
        metadata: { name: "a.b" },
        spec: {
          ...web,
          podManagementPolicy: "Odd",
          serviceName: "A_b",
          updateStrategy: { type: "Odd" },
          persistentVolumeClaimRetentionPolicy: { whenScaled: "Maybe" },
          ordinals: { start: -1 },
        },
      }),
      statefulSets.create({
        metadata: { name: "bad" },
        spec: { ...web, updateStrategy: { type: "OnDelete", rollingUpdate: {} }, selector: {}, replicas: -1, minReadySeconds: -2 },
      }),
      statefulSets.create({
        metadata: { name: "bad" },
        spec: {
          ...web,
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: -1 } },
          template: { metadata: {}, spec: { containers } },
        },
      }),
      statefulSets.remove("db"),
    ],
  },
  {
    name: "C6 C13 C14 X2 daemon set",
    steps: [
      daemonSets.create({ metadata: { name: "agent" }, spec: web }),
      daemonSets.create({
        metadata: { name: "manual", annotations: { a: "b" } },
        spec: {
          ...web,
          updateStrategy: { type: "OnDelete" },
          template: { metadata: { labels }, spec: { containers, nodeSelector: { disk: "ssd", arch: "arm" } } },
        },
      }),
      daemonSets.patch("agent", { spec: { minReadySeconds: 3 } }),
      daemonSets.patch("agent", { spec: { template: { metadata: { annotations: { x: "y" } } } } }),
      daemonSets.patch("agent", { metadata: { annotations: { "deprecated.daemonset.template.generation": "7" } } }),
      daemonSets.patch("agent/status", {
        status: { currentNumberScheduled: 1, desiredNumberScheduled: 2, numberReady: 1, numberMisscheduled: 0 },
      }),
      daemonSets.patch("agent/status", { status: { numberReady: -1 } }),
      daemonSets.table(),
      daemonSets.patch("agent", { spec: { selector: { matchLabels: { app: "other" } } } }),
      daemonSets.create({ metadata: { name: "bad" }, spec: { ...web, updateStrategy: { type: "Odd" }, revisionHistoryLimit: -1 } }),
      daemonSets.create({ metadata: { name: "bad" }, spec: { ...web, updateStrategy: { rollingUpdate: { maxSurge: 1 } } } }),
      daemonSets.create({ metadata: { name: "bad" }, spec: { ...web, updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } } }),
      daemonSets.create({ metadata: { name: "bad" }, spec: { selector: {}, template } }),
      daemonSets.create({ metadata: { name: "bad" }, spec: { template } }),
      daemonSets.create({ metadata: { name: "bad", annotations: { "deprecated.daemonset.template.generation": "x" } }, spec: web }),
      daemonSets.remove("agent"),
    ],
  },
  {
    name: "C14 X2 controller revision",
    steps: [
      revisions.create({
        metadata: { name: "r1", ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: "1", controller: true }] },
        revision: 1,
        data: { spec: { a: [] } },
      }),
      revisions.create({ metadata: { name: "r2" }, revision: 2, data: {} }),
      revisions.table(),
      revisions.patch("r1", { revision: 3 }),
      revisions.patch("r1", { data: { spec: 2 } }),
      revisions.create({ metadata: { name: "bad" }, revision: -1 }),
      revisions.create({ metadata: { name: "bad" }, revision: 1, data: [1] }),
      revisions.remove("r1"),
    ],
  },
];
