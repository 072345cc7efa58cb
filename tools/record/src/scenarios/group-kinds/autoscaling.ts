import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const v1 = callsTo("/apis/autoscaling/v1/namespaces/group-kinds/horizontalpodautoscalers");
const v2 = callsTo("/apis/autoscaling/v2/namespaces/group-kinds/horizontalpodautoscalers");

const web = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const memory = { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1024Mi" } } };
const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } };
const pods = { type: "Pods", pods: { metric: { name: "requests" }, target: { type: "AverageValue", averageValue: "1k" } } };
const object = {
  type: "Object",
  object: {
    describedObject: { kind: "Service", name: "web", apiVersion: "v1" },
    metric: { name: "hits", selector: { matchLabels: { a: "b" } } },
    target: { type: "Value", value: "10" },
  },
};
const external = { type: "External", external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "30" } } };
const container = {
  type: "ContainerResource",
  containerResource: { name: "cpu", container: "app", target: { type: "Utilization", averageUtilization: 60 } },
};

/** HorizontalPodAutoscaler in both of its versions. */
export const autoscalingScenarios: readonly Scenario[] = [
  {
    name: "C13 A8 X2 autoscaler in two versions",
    steps: [
      v2.create({ metadata: { name: "plain" }, spec: { scaleTargetRef: web, maxReplicas: 5 } }),
      v1.get("plain"),
      v1.create({ metadata: { name: "old" }, spec: { scaleTargetRef: web, minReplicas: 2, maxReplicas: 5 } }),
      v1.create({ metadata: { name: "share" }, spec: { scaleTargetRef: web, maxReplicas: 5, targetCPUUtilizationPercentage: 70 } }),
      v2.get("share"),
      v2.create({
        metadata: { name: "all", annotations: { own: "note" } },
        spec: {
          scaleTargetRef: web,
          maxReplicas: 9,
          metrics: [memory, cpu, pods, object, external, container],
          behavior: {
            scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: "Pods", value: 1, periodSeconds: 30 }], tolerance: "0.05" },
          },
        },
      }),
      v1.get("all"),
      v1.patch("all", { spec: { maxReplicas: 10 } }),
      v2.patch("all/status", {
        status: {
          currentReplicas: 3,
          desiredReplicas: 4,
          currentMetrics: [
            { type: "Resource", resource: { name: "memory", current: { averageValue: "100Mi" } } },
            { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 40, averageValue: "400m" } } },
            { type: "Pods", pods: { metric: { name: "requests" }, current: { averageValue: "5" } } },
          ],
          conditions: [
            { type: "AbleToScale", status: "True", lastTransitionTime: "2025-06-01T00:00:00Z", reason: "Ready", message: "fine" },
          ],
        },
      }),
      v1.get("all"),
      v1.patch("all/status", { status: { currentReplicas: 5 } }),
      v2.table(),
      v1.table("all"),
      v2.patch("plain", { spec: { behavior: { scaleUp: { selectPolicy: "Disabled" } } } }),
      v2.patch("plain", { metadata: { annotations: { "autoscaling.alpha.kubernetes.io/metrics": "x" } } }),
      v1.remove("old"),
    ],
  },
  {
    name: "C14 autoscaler rules",
    steps: [
      v2.create({ metadata: { name: "bad" }, spec: {} }),
      v2.create({
        metadata: { name: "bad" },
        spec: { scaleTargetRef: { kind: "Deployment", name: "a/b", apiVersion: "v1" }, minReplicas: 0, maxReplicas: -1 },
      }),
      v2.create({ metadata: { name: "bad" }, spec: { scaleTargetRef: { ...web, apiVersion: "a/b/c" }, minReplicas: 5, maxReplicas: 2 } }),
      v2.create({ metadata: { name: "rc" }, spec: { scaleTargetRef: { kind: "ReplicationController", name: "web" }, maxReplicas: 2 } }),
      v2.create({
        metadata: { name: "bad" },
        spec: {
          scaleTargetRef: web,
          maxReplicas: 2,
          metrics: [
            {},
            { type: "Odd" },
            { type: "Resource" },
            { type: "Resource", resource: { name: "", target: { type: "Odd" } } },
            { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0, averageValue: "-1" } } },
            { type: "Pods", pods: { metric: { name: "a/b" }, target: { type: "Value", value: "0" } } },
            { type: "Object", object: { describedObject: {}, metric: {}, target: { type: "Value" } } },
            { type: "External", external: { metric: { name: "q" }, target: { type: "Value", value: "1", averageValue: "1" } } },
            { type: "ContainerResource", containerResource: { name: "cpu", container: "A", target: { type: "Utilization" } } },
            { ...cpu, pods: pods.pods },
          ],
        },
      }),
      v2.create({
        metadata: { name: "bad" },
        spec: {
          scaleTargetRef: web,
          maxReplicas: 2,
          behavior: {
            scaleUp: { stabilizationWindowSeconds: 4000, selectPolicy: "Odd" },
            scaleDown: {
              stabilizationWindowSeconds: -1,
              policies: [
                { type: "Odd", value: 0, periodSeconds: 0 },
                { type: "Pods", value: 1, periodSeconds: 2000 },
              ],
              tolerance: "-1",
            },
          },
        },
      }),
      v1.create({ metadata: { name: "bad" }, spec: { scaleTargetRef: web, maxReplicas: 1, targetCPUUtilizationPercentage: -5 } }),
      v1.create({ metadata: { name: "bad" }, spec: { scaleTargetRef: web, maxReplicas: 1, metrics: [] } }, "?fieldValidation=Strict"),
    ],
  },
];
