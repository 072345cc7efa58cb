import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { cpuShare, toV1, toV2, withoutConverted } from "./autoscaler-conversion.ts";

const target = fc.constantFrom<JsonObject>({ type: "Value", value: "10" }, { type: "AverageValue", averageValue: "250m" });
const metric = fc.record({ name: fc.constantFrom("hits", "queue") }, { noNullPrototype: true });
const metrics = fc.oneof<fc.Arbitrary<JsonObject>[]>(
  fc
    .integer({ min: 1, max: 99 })
    .map((averageUtilization) => ({ type: "Resource", resource: { name: "memory", target: { type: "Utilization", averageUtilization } } })),
  fc.constant({ type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } }),
  fc.constant({
    type: "ContainerResource",
    containerResource: { name: "cpu", container: "app", target: { type: "Utilization", averageUtilization: 5 } },
  }),
  metric.map((each) => ({ type: "Pods", pods: { metric: each, target: { type: "AverageValue", averageValue: "3" } } })),
  fc.record({ metric, target }, { noNullPrototype: true }).map((external) => ({ type: "External", external })),
  metric.map((each) => ({
    type: "Object",
    object: { describedObject: { kind: "Service", name: "web", apiVersion: "v1" }, target: { type: "Value", value: "7" }, metric: each },
  })),
);
const behavior: JsonObject = {
  scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: "Pods", value: 4, periodSeconds: 15 }] },
  scaleDown: { selectPolicy: "Min" },
};

const autoscalers = fc
  .record({
    others: fc.array(metrics, { maxLength: 4 }),
    percent: fc.option(fc.integer({ min: 1, max: 100 })),
    behaves: fc.boolean(),
    note: fc.boolean(),
  })
  .map(({ others, percent, behaves, note }): DynamicObject => ({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "web", ...(note ? { annotations: { own: "note" } } : {}) },
    spec: {
      scaleTargetRef: { kind: "Deployment", name: "web", apiVersion: "apps/v1" },
      minReplicas: 1,
      maxReplicas: 5,
      metrics: percent === null && others.length > 0 ? others : [...others, cpuShare(percent ?? 80)],
      ...(behaves ? { behavior } : {}),
    },
    status: { desiredReplicas: 2, currentMetrics: null },
  }));

test("nothing is lost on the way to the older version and back", () => {
  fc.assert(
    fc.property(autoscalers, (autoscaler) => {
      assert.deepEqual(toV2(toV1(autoscaler)), autoscaler);
    }),
  );
});

test("the older version has a field for the CPU, and 80 % when nothing else is measured", () => {
  const old: DynamicObject = {
    apiVersion: "autoscaling/v1",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "web" },
    spec: { maxReplicas: 2 },
  };
  assert.partialDeepStrictEqual(toV2(old), { spec: { metrics: [cpuShare(80)] } });
  assert.partialDeepStrictEqual(toV1(toV2(old)), { spec: { targetCPUUtilizationPercentage: 80 } });
});

test("annotations that stand for fields are not kept, and those that make no sense stand for nothing", () => {
  const annotations = { "autoscaling.alpha.kubernetes.io/metrics": "{", "autoscaling.alpha.kubernetes.io/behavior": "[]", own: "note" };
  const odd: DynamicObject = {
    apiVersion: "autoscaling/v1",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "web", annotations },
    spec: { maxReplicas: 2 },
  };
  assert.deepEqual(toV2(odd).metadata, { name: "web", annotations: { own: "note" } });
  assert.deepEqual(withoutConverted(odd).metadata, { name: "web", annotations: { own: "note" } });
});
