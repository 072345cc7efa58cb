import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "@kaji/types/core/v1";
import { rankForDeletion } from "./pod-ranking.ts";

const nowMs = Date.UTC(2026, 0, 2);

interface Traits {
  readonly node?: string;
  readonly phase?: "Pending" | "Running";
  readonly readySince?: string;
  readonly cost?: string;
  readonly restarts?: number;
  readonly created?: string;
}

function pod(
  name: string,
  { node = "a", phase = "Running", readySince, cost, restarts = 0, created = "2026-01-01T00:00:00Z" }: Traits = {},
): Pod {
  const annotations = cost === undefined ? {} : { annotations: { "controller.kubernetes.io/pod-deletion-cost": cost } };
  const ready = readySince === undefined ? "False" : "True";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, uid: name, creationTimestamp: created, ...annotations },
    spec: { nodeName: node, containers: [] },
    status: {
      phase,
      conditions: [{ type: "Ready", status: ready, lastTransitionTime: readySince ?? created }],
      containerStatuses: [{ name: "main", image: "", imageID: "", ready: true, restartCount: restarts }],
    },
  };
}

const since = "2026-01-01T00:00:00Z";

/** Whether of two pods the first goes first, in whatever order they come. */
function goesFirst(first: Pod, second: Pod, related: readonly Pod[] = [first, second]): void {
  for (const pods of [
    [first, second],
    [second, first],
  ]) {
    assert.equal(rankForDeletion(pods, related, nowMs)[0]?.metadata.name, first.metadata.name);
  }
}

test("pods without a node go before those on one, pending ones before running ones, unready ones before ready ones", () => {
  goesFirst(pod("first", { node: "", readySince: since }), pod("second", { phase: "Pending" }));
  goesFirst(pod("first", { phase: "Pending", readySince: since }), pod("second"));
  goesFirst(pod("first"), pod("second", { readySince: since, cost: "-5" }));
});

test("the cheaper to delete goes first; what is no number costs nothing", () => {
  goesFirst(pod("first", { readySince: since, cost: "-5" }), pod("second", { readySince: since }));
  goesFirst(pod("first", { readySince: since, cost: "much" }), pod("second", { readySince: since, cost: "1" }));
  goesFirst(pod("first", { readySince: since, cost: "99999999999" }), pod("second", { readySince: since, cost: "1" }));
});

test("the one with more related pods on its node goes first", () => {
  const [first, second, other] = [pod("first", { readySince: since }), pod("second", { node: "b", readySince: since }), pod("other")];
  goesFirst(first, second, [first, second, other]);
});

test("the one that has been ready for less time goes first, unless the times are of the same order", () => {
  goesFirst(pod("z", { readySince: "2026-01-01T23:00:00Z" }), pod("a", { readySince: since }));
  goesFirst(pod("a", { readySince: "2026-01-01T01:00:00Z" }), pod("z", { readySince: "2026-01-01T02:00:00Z" }));
});

test("the one that was restarted more often goes first, then the younger", () => {
  goesFirst(pod("first", { readySince: since, restarts: 3 }), pod("second", { readySince: since }));
  goesFirst(pod("z", { created: "2026-01-01T23:00:00Z" }), pod("a"));
});
