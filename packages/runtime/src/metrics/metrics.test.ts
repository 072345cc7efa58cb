import assert from "node:assert/strict";
import { test } from "node:test";
import { formatKind } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { Bar, Part } from "../testing/bar.ts";
import { Metrics } from "./metrics.ts";

const load = {
  queued: 3,
  queuedBy: new Map([
    [0, 1],
    [-1, 2],
  ]),
  delayed: 1,
  nextDueInMs: 5,
  inFlight: 2,
  looking: 0,
  workedMs: [500, 1500],
  failing: 3,
};

test("[MT1] what a controller does is told under controller-runtime's names", async () => {
  const metrics = new Metrics();
  using _bar = metrics.controllers.track({ controller: { name: "bar", concurrency: 4 }, load });
  const { controllers } = metrics;
  controllers.keyAdded("bar");
  controllers.keyTaken("bar", 20);
  controllers.keyDone("bar", 30);
  controllers.keyRetried("bar");
  for (const outcome of ["Done", "Requeue", "RequeueAfter", "Conflict", "Error", "TerminalError", "Timeout"] as const)
    controllers.reconciled("bar", outcome, 40);
  controllers.panicked("bar");
  assert.deepEqual(await valuesOf(metrics, /^(controller_runtime|workqueue|kaji_failing)(?!.*_bucket)/), {
    'controller_runtime_active_workers{controller="bar"}': "2",
    'controller_runtime_max_concurrent_reconciles{controller="bar"}': "4",
    'controller_runtime_reconcile_errors_total{controller="bar"}': "3",
    'controller_runtime_reconcile_panics_total{controller="bar"}': "1",
    'controller_runtime_reconcile_time_seconds_count{controller="bar"}': "7",
    'controller_runtime_reconcile_time_seconds_sum{controller="bar"}': "0.28",
    'controller_runtime_reconcile_timeouts_total{controller="bar"}': "1",
    'controller_runtime_reconcile_total{controller="bar",result="error"}': "3",
    'controller_runtime_reconcile_total{controller="bar",result="requeue"}': "2",
    'controller_runtime_reconcile_total{controller="bar",result="requeue_after"}': "1",
    'controller_runtime_reconcile_total{controller="bar",result="success"}': "1",
    'controller_runtime_terminal_reconcile_errors_total{controller="bar"}': "1",
    controller_runtime_webhook_panics_total: "0",
    'kaji_failing_objects{controller="bar"}': "3",
    'workqueue_adds_total{name="bar",controller="bar"}': "1",
    'workqueue_depth{name="bar",controller="bar",priority="0"}': "1",
    'workqueue_depth{name="bar",controller="bar",priority="-1"}': "2",
    'workqueue_longest_running_processor_seconds{name="bar",controller="bar"}': "1.5",
    'workqueue_queue_duration_seconds_count{name="bar",controller="bar"}': "1",
    'workqueue_queue_duration_seconds_sum{name="bar",controller="bar"}': "0.02",
    'workqueue_retries_total{name="bar",controller="bar"}': "1",
    'workqueue_unfinished_work_seconds{name="bar",controller="bar"}': "2",
    'workqueue_work_duration_seconds_count{name="bar",controller="bar"}': "1",
    'workqueue_work_duration_seconds_sum{name="bar",controller="bar"}': "0.03",
  });
});

test("[MT8] what controllers mirror is told for each kind: objects, memory, and whether it fails", async () => {
  const metrics = new Metrics();
  const stats = { objects: 7, bytes: 700, reservedBytes: 1024, pendingWrites: 0, subscriptions: 1, heardMs: undefined };
  const [synced, failing] = [{ type: "Synced" }, { type: "Failing", error: new Error("down"), isSynced: true, sinceMs: 0 }] as const;
  const mirrored = [
    { resource: Part, state: synced, stats, isSynced: true, isAbsent: false, isAdded: false },
    { resource: Part, state: failing, stats, isSynced: true, isAbsent: false, isAdded: false },
    { resource: Bar, state: failing, stats, isSynced: false, isAbsent: true, isAdded: false },
  ];
  metrics.mirrors.track("bar", { mirrored });
  const [bars, parts] = [Bar, Part].map((resource) => `{controller="bar",kind="${formatKind(resource)}"}`);
  assert.deepEqual(await valuesOf(metrics, /^kaji_mirror/), {
    [`kaji_mirror_objects${parts}`]: "14",
    [`kaji_mirror_objects${bars}`]: "7",
    [`kaji_mirror_bytes${parts}`]: "2048",
    [`kaji_mirror_bytes${bars}`]: "1024",
    [`kaji_mirror_failing${parts}`]: "1",
    [`kaji_mirror_failing${bars}`]: "0",
  });
});

test("[MT2] every attempt of a request is counted by code, method and host", async () => {
  const metrics = new Metrics();
  const answers: Transport = async ({ method }) => {
    if (method === "DELETE") throw new Error("connection refused");
    return { status: method === "GET" ? 200 : 409, headers: {}, body: (async function* () {})() };
  };
  const transport = metrics.restClient.measure(answers, { host: "example:6443", clock: new ManualClock() });
  await transport({ method: "GET", path: "/", headers: {} });
  await transport({ method: "PATCH", path: "/", headers: {} });
  await assert.rejects(transport({ method: "DELETE", path: "/", headers: {} }), /refused/);
  assert.deepEqual(await valuesOf(metrics, /^rest_client_requests_total/), {
    'rest_client_requests_total{code="200",method="GET",host="example:6443"}': "1",
    'rest_client_requests_total{code="409",method="PATCH",host="example:6443"}': "1",
    'rest_client_requests_total{code="<error>",method="DELETE",host="example:6443"}': "1",
  });
});

test("[MT3] leadership, webhooks, dropped events and blocks are told", async () => {
  const metrics = new Metrics();
  metrics.setLeading("bar-controller", true);
  metrics.eventDropped();
  metrics.blocked(1500);
  metrics.webhooks.requestBegun("/validate");
  metrics.webhooks.requestDone("/validate", 200, 10);
  metrics.webhooks.panicked("/validate");
  const values = await valuesOf(metrics, /^(leader|kaji|controller_runtime_webhook)(?!.*_bucket)/);
  assert.deepEqual(values, {
    'controller_runtime_webhook_latency_seconds_count{webhook="/validate"}': "1",
    'controller_runtime_webhook_latency_seconds_sum{webhook="/validate"}': "0.01",
    controller_runtime_webhook_panics_total: "1",
    'controller_runtime_webhook_requests_in_flight{webhook="/validate"}': "0",
    'controller_runtime_webhook_requests_total{webhook="/validate",code="200"}': "1",
    kaji_event_loop_blocked_seconds_total: "1.5",
    kaji_events_dropped_total: "1",
    'leader_election_master_status{name="bar-controller"}': "1",
  });
});

async function valuesOf(metrics: Metrics, name: RegExp): Promise<Record<string, string>> {
  const { body } = await metrics.text();
  const lines = body.split("\n").filter((line) => name.test(line));
  return Object.fromEntries(lines.sort().map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]));
}
