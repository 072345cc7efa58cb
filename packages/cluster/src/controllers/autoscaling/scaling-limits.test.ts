import assert from "node:assert/strict";
import { test } from "node:test";
import type { HPAScalingRules } from "@kaji/types/autoscaling/v2";
import { ScalingHistory } from "./scaling-history.ts";
import { limitedReplicas } from "./scaling-limits.ts";

const second = 1000;
const usualUp: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const usualDown: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

for (const { title, up = {}, down = {}, current, wanted, expected, reason } of [
  { title: "the larger of two policies counts", current: 3, wanted: 20, expected: 7, reason: "ScaleUpLimit" },
  { title: "of which for many it is the other", current: 10, wanted: 30, expected: 20, reason: "ScaleUpLimit" },
  { title: "the smaller if that is said", up: { selectPolicy: "Min" }, current: 3, wanted: 20, expected: 6, reason: "ScaleUpLimit" },
  { title: "none if that is said", up: { selectPolicy: "Disabled" }, current: 3, wanted: 20, expected: 3, reason: "ScaleUpLimit" },
  { title: "never more than there may be", current: 60, wanted: 90, expected: 80, reason: "TooManyReplicas" },
  { title: "all may go at once", current: 9, wanted: 3, expected: 3, reason: "DesiredWithinRange" },
  { title: "but not all", current: 9, wanted: 0, expected: 2, reason: "TooFewReplicas" },
  {
    title: "parts of pods are rounded up on the way up",
    up: { policies: [{ type: "Percent", value: 10, periodSeconds: 15 }] },
    current: 3,
    wanted: 9,
    expected: 4,
    reason: "ScaleUpLimit",
  },
  {
    title: "and down on the way down",
    down: { policies: [{ type: "Percent", value: 10, periodSeconds: 15 }] },
    current: 5,
    wanted: 2,
    expected: 4,
    reason: "ScaleDownLimit",
  },
]) {
  test(`[HPA5] ${title}: ${current} become ${expected} where ${wanted} are wanted`, () => {
    const behavior = { scaleUp: { ...usualUp, ...up }, scaleDown: { ...usualDown, ...down } };
    const { replicas, limit } = limitedReplicas({ current, wanted, min: 2, max: 80, nowMs: 0 }, behavior, new ScalingHistory(0));
    assert.deepEqual([replicas, limit.reason, limit.isLimited], [expected, reason, reason !== "DesiredWithinRange"]);
  });
}

test("[HPA5] what was added and taken away within the period of a policy counts", () => {
  const history = new ScalingHistory(0);
  const behavior = {
    scaleUp: { ...usualUp, policies: [{ type: "Pods", value: 4, periodSeconds: 60 }] },
    scaleDown: { ...usualDown, policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] },
  };
  const next = (current: number, wanted: number, nowMs: number): number => {
    const { replicas } = limitedReplicas({ current, wanted, min: 1, max: 100, nowMs }, behavior, history);
    if (replicas !== current) history.rescale(current, replicas, nowMs);
    return replicas;
  };
  assert.equal(next(10, 13, 0), 13);
  assert.equal(next(13, 30, 30 * second), 14, "one is left of four");
  assert.equal(next(14, 30, 60 * second), 17, "the first three are a minute ago");
  assert.equal(next(17, 1, 61 * second), 12, "one fewer than there were a minute ago");
  assert.equal(next(12, 1, 121 * second), 11);
});

test("[HPA5] of what was recommended within a window the highest counts to have fewer, the lowest to have more", () => {
  const history = new ScalingHistory(0);
  const behavior = { scaleUp: { ...usualUp, stabilizationWindowSeconds: 60 }, scaleDown: { ...usualDown, stabilizationWindowSeconds: 60 } };
  history.begin(10, 0);
  const next = (wanted: number, nowMs: number): readonly [number, string] => {
    const { replicas, stabilization } = limitedReplicas({ current: 10, wanted, min: 1, max: 100, nowMs }, behavior, history);
    return [replicas, stabilization.reason];
  };
  assert.deepEqual(next(12, 15 * second), [10, "ScaleUpStabilized"]);
  assert.deepEqual(next(5, 30 * second), [10, "ScaleDownStabilized"]);
  assert.deepEqual(next(6, 76 * second), [6, "ReadyForNewScale"]);
  assert.deepEqual(next(15, 77 * second), [10, "ScaleUpStabilized"]);
});
