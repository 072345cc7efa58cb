import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const controllers = callsTo("/api/v1/namespaces/core-kinds/replicationcontrollers");
const templates = callsTo("/api/v1/namespaces/core-kinds/podtemplates");
const quotas = callsTo("/api/v1/namespaces/core-kinds/resourcequotas");
const ranges = callsTo("/api/v1/namespaces/core-kinds/limitranges");
const events = callsTo("/api/v1/namespaces/core-kinds/events");

const labels = { app: "web" };
const containers = [{ name: "web", image: "nginx:1.27" }];
const template = { metadata: { labels }, spec: { containers } };
const involvedObject = { kind: "Pod", namespace: "core-kinds", name: "web", fieldPath: "spec" };

function triedQuota(spec: JsonObject): Step {
  return quotas.create({ metadata: { name: "tried" }, spec }, "?dryRun=All");
}

function triedRange(limits: readonly JsonObject[]): Step {
  return ranges.create({ metadata: { name: "tried" }, spec: { limits } }, "?dryRun=All");
}

/** Replication controllers, templates, quotas, limits and events. */
export const workloadScenarios: readonly Scenario[] = [
  {
    name: "C6 C7 C13 X2 replication controller life cycle",
    steps: [
      controllers.create({ metadata: { name: "web" }, spec: { template }, status: { replicas: 7 } }),
      controllers.table("web"),
      controllers.patch("web", { spec: { replicas: 3 } }),
      controllers.patch("web/status", { status: { replicas: 3, readyReplicas: 2, observedGeneration: 2 } }),
      controllers.patch("web/status", { status: { replicas: 1, readyReplicas: 2, availableReplicas: 3, fullyLabeledReplicas: -1 } }),
      controllers.get("web/scale"),
      controllers.patch("web/scale", { spec: { replicas: 5 } }),
      controllers.patch("web/scale", { spec: { replicas: -1 } }),
      controllers.table("web"),
      controllers.list("?fieldSelector=status.replicas=3"),
      controllers.remove("web"),
      controllers.patch("web", { metadata: { finalizers: null } }),
      controllers.create({ metadata: { name: "bad" }, spec: { replicas: -1, minReadySeconds: -1 } }),
      controllers.create({
        metadata: { name: "bad" },
        spec: {
          selector: { a: "b" },
          template: { metadata: { labels: { "c d": "e" } }, spec: { containers, restartPolicy: "Never", activeDeadlineSeconds: 1 } },
        },
      }),
      controllers.create({
        metadata: { name: "bad" },
        spec: { selector: { a: "b" }, template: { spec: { containers: [{ name: "x" }] } } },
      }),
    ],
  },
  {
    name: "C6 C13 X2 pod template life cycle",
    steps: [
      templates.create({ metadata: { name: "web" }, template }),
      templates.table("web"),
      templates.patch("web", { metadata: { labels: { a: "b" } } }),
      templates.patch("web", { template: { spec: { containers: [{ name: "web", image: "nginx:1.28" }] } } }, "strategic"),
      templates.create({
        metadata: { name: "limits" },
        template: {
          spec: {
            hostNetwork: true,
            containers: [{ ...containers[0], ports: [{ containerPort: 80 }], resources: { limits: { cpu: "1" } } }],
          },
        },
      }),
      templates.create({
        metadata: { name: "bad" },
        template: {
          metadata: { labels: { "a b": "c" }, annotations: { "x y": "" } },
          spec: { containers: [], ephemeralContainers: [{ name: "a", image: "b" }] },
        },
      }),
      templates.create({ metadata: { name: "none" } }),
      templates.remove("web"),
    ],
  },
  {
    name: "C7 C13 C14 X2 resource quota",
    steps: [
      quotas.create({
        metadata: { name: "all" },
        spec: { hard: { cpu: "1", "limits.memory": "1Gi", "requests.memory": "2Gi", pods: "10", "count/deployments.apps": "2" } },
        status: { hard: { pods: "1" } },
      }),
      quotas.table("all"),
      quotas.patch("all/status", { status: { hard: { pods: "10", "limits.memory": "1Gi", cpu: "1" }, used: { pods: "3", cpu: "250m" } } }),
      quotas.table("all"),
      quotas.patch("all/status", { status: { used: { "a b": "1" } } }),
      quotas.patch("all", { spec: { scopes: ["BestEffort"] } }),
      quotas.remove("all"),
      triedQuota({ hard: { pods: "1500m" } }),
      triedQuota({ hard: { gpu: "1" } }),
      triedQuota({ hard: { storage: "1" } }),
      triedQuota({ hard: { pods: "-1" } }),
      triedQuota({ hard: { pods: "1" }, scopes: ["Odd"] }),
      triedQuota({ hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] }),
      triedQuota({ hard: { services: "1" }, scopes: ["Terminating"] }),
      triedQuota({ hard: { pods: "1" }, scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] } }),
      triedQuota({ hard: { pods: "1" }, scopeSelector: { matchExpressions: [{ scopeName: "Terminating", operator: "Odd" }] } }),
      triedQuota({
        hard: { services: "1" },
        scopeSelector: { matchExpressions: [{ scopeName: "BestEffort", operator: "Exists", values: ["x"] }] },
      }),
    ],
  },
  {
    name: "C5 C13 C14 limit range",
    steps: [
      ranges.create({
        metadata: { name: "limits" },
        spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" }, default: { memory: "64Mi" } }] },
      }),
      ranges.table("limits"),
      ranges.replace("by-put", { metadata: { name: "by-put" }, spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } }),
      ranges.patch("limits", { metadata: { labels: { "a b": "c" } } }),
      ranges.remove("limits"),
      triedRange([{ type: "Container", max: { cpu: "1.0001" }, maxLimitRequestRatio: { cpu: "2" } }]),
      triedRange([{ type: "Odd", max: { cpu: "1" } }, { type: "a b" }]),
      triedRange([{ type: "Pod", default: { cpu: "1" } }]),
      triedRange([{ type: "Pod", max: { cpu: "1" }, min: { cpu: "2" } }]),
      triedRange([{ type: "Container", max: { cpu: "1" }, default: { cpu: "2" }, defaultRequest: { cpu: "3" } }]),
      triedRange([{ type: "PersistentVolumeClaim" }]),
      triedRange([{ type: "Pod", max: { cpu: "4" }, min: { cpu: "2" }, maxLimitRequestRatio: { cpu: "3" } }]),
      triedRange([{ type: "Container", max: { gpu: "4" } }]),
      triedRange([{ type: "Container", maxLimitRequestRatio: { cpu: "500m" } }]),
      triedRange([
        { type: "Pod", max: { cpu: "1" } },
        { type: "Pod", max: { cpu: "1" } },
      ]),
    ],
  },
  {
    name: "B8 C5 C14 X2 event",
    steps: [
      events.create({
        metadata: { name: "old" },
        involvedObject,
        reason: "Started",
        message: " it began ",
        type: "Normal",
        source: { component: "me", host: "h" },
        firstTimestamp: "2020-01-01T00:00:00Z",
        lastTimestamp: "2020-01-01T00:00:00Z",
        count: 3,
      }),
      events.create({
        metadata: { name: "new" },
        involvedObject,
        reason: "Started",
        message: "m",
        type: "Warning",
        eventTime: "2020-01-01T00:00:00.000001Z",
        action: "Start",
        reportingComponent: "example.com/me",
        reportingInstance: "me-1",
        series: { count: 4, lastObservedTime: "2020-01-01T00:00:00.000002Z" },
      }),
      events.get("old"),
      events.patch("old", { count: 4 }),
      events.list("?fieldSelector=involvedObject.kind=Pod,type=Normal,reason=Started,source=me"),
      events.list("?fieldSelector=involvedObject.name=other"),
      events.list("?fieldSelector=reportingComponent=example.com/me,involvedObject.fieldPath=spec"),
      events.list("?fieldSelector=message=x"),
      events.create({ metadata: { name: "elsewhere" }, involvedObject: { kind: "Pod", namespace: "other", name: "web" } }),
      events.create({ metadata: { name: "nowhere" }, involvedObject: { kind: "Node", name: "web" } }),
      events.create({ metadata: { name: "bare" }, involvedObject, eventTime: "2020-01-01T00:00:00.000001Z" }),
      events.create({ metadata: { name: "time" }, involvedObject, eventTime: "2020-01-01T00:00:00Z" }),
      events.replace("by-put", { metadata: { name: "by-put" }, involvedObject, reason: "Put" }),
      events.remove("old", { propagationPolicy: "Foreground" }),
    ],
  },
];
