import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod, PodStatus } from "@kaji/types/core/v1";
import { isReplaceable, nextReplacementMs } from "./pod-replacement.ts";

const bornMs = Date.UTC(2026, 0, 1);

function pod(phase: NonNullable<PodStatus["phase"]>): Pod {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "pod", creationTimestamp: "2026-01-01T00:00:00Z" }, status: { phase } };
}

test("a pod that has ended is replaced, but not before it is a second old", () => {
  assert.equal(isReplaceable(pod("Running"), bornMs + 5000), false);
  assert.equal(isReplaceable(pod("Failed"), bornMs + 400), false);
  assert.equal(isReplaceable(pod("Failed"), bornMs + 1000), true);
  assert.equal(nextReplacementMs([pod("Running"), pod("Failed")], bornMs + 400), 600);
  assert.equal(nextReplacementMs([pod("Failed")], bornMs + 1000), undefined);
});
