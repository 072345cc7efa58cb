import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import type { InformerState } from "@kaji/informer";
import { Pod } from "@kaji/types/core/v1";
import { Deployment } from "@kaji/types/apps/v1";
import { answerHealth } from "./health-checks.ts";
import type { HealthChecks } from "./health-checks.ts";
import { watchChecks } from "./watch-checks.ts";

const ping = { name: "ping", check: () => ({ ok: true }) as const };
const broken = { name: "broken", check: () => ({ ok: false, reason: "on fire" }) as const };

function ask(checks: HealthChecks, url: string): { status: number; body: string } {
  const [path = "", search] = url.split("?");
  const { status, body } = answerHealth(
    { readyz: checks },
    { method: "GET", path, query: new URLSearchParams(search), bearerToken: undefined },
  );
  return { status, body };
}

test("[HL1] health is told as API servers tell it", () => {
  assert.deepEqual(
    ask(() => [ping], "/readyz"),
    { status: 200, body: "ok" },
  );
  assert.deepEqual(
    ask(() => [ping], "/readyz?verbose"),
    { status: 200, body: "[+]ping ok\nreadyz check passed\n" },
  );
  const failed = { status: 500, body: "[+]ping ok\n[-]broken failed: on fire\nreadyz check failed\n" };
  assert.deepEqual(
    ask(() => [ping, broken], "/readyz"),
    failed,
  );
  assert.deepEqual(
    ask(() => [ping, broken], "/readyz?exclude=broken"),
    { status: 200, body: "ok" },
  );
  assert.deepEqual(
    ask(() => [ping, broken], "/readyz/ping"),
    { status: 200, body: "ok" },
  );
  assert.equal(ask(() => [ping, broken], "/readyz/broken").status, 500);
  assert.equal(ask(() => [ping], "/readyz/none").status, 404);
  assert.equal(ask(() => [ping], "/constructor").status, 404);
});

test("[HL1] a check that throws has failed", () => {
  const wild = {
    name: "wild",
    check: () => {
      throw new Error("boom");
    },
  };
  assert.match(ask(() => [wild], "/readyz").body, /\[-\]wild failed: boom/);
});

test("[HL2] each watch is told with its state and when the server was last heard", async () => {
  const clock = new ManualClock();
  let state: InformerState = { type: "Syncing" };
  let heardMs: number | undefined;
  const mirrored = {
    resource: Pod,
    isAbsent: false,
    isAdded: false,
    get state() {
      return state;
    },
    get stats() {
      return { heardMs };
    },
    get isSynced() {
      return state.type !== "Syncing";
    },
  };
  const check = (): unknown =>
    watchChecks([{ mirrored: [mirrored] }], clock)
      .map((each) => [each.name, each.check()])
      .at(0);

  assert.deepEqual(check(), ["watch/pods", { ok: false, reason: "not synced yet, never heard" }]);
  const [added] = watchChecks([{ mirrored: [{ ...mirrored, isAdded: true }] }], clock);
  assert.deepEqual(added?.check(), { ok: true, note: "not synced yet, never heard" });
  [state, heardMs] = [{ type: "Synced" }, clock.monotonic()];
  await clock.advance(12_000);
  assert.deepEqual(check(), ["watch/pods", { ok: true, note: "heard 12s ago" }]);

  state = { type: "Failing", error: refusal("ServiceUnavailable", "try later"), isSynced: true, sinceMs: clock.monotonic() };
  await clock.advance(30_000);
  assert.deepEqual(check(), ["watch/pods", { ok: true, note: "failing for 30s, heard 42s ago: try later" }]);
  await clock.advance(60_000);
  assert.deepEqual(check(), ["watch/pods", { ok: false, reason: "failing for 1m30s, heard 1m42s ago: try later" }]);
});

test("[HL2] of several mirrors of a kind the worst counts", () => {
  const clock = new ManualClock();
  const error = new Error("no");
  const bad: InformerState[] = [{ type: "Failing", error, isSynced: false, sinceMs: 0 }, { type: "Syncing" }];
  const good: InformerState[] = [{ type: "Synced" }, { type: "Failing", error, isSynced: true, sinceMs: 0 }];
  for (const one of bad) {
    for (const states of good.flatMap((other) => [
      [one, other],
      [other, one],
    ])) {
      const mirrored = states.map((state) => ({
        resource: Deployment,
        state,
        stats: { heardMs: undefined },
        isAbsent: false,
        isAdded: false,
        isSynced: !bad.includes(state),
      }));
      const [only, ...more] = watchChecks([{ mirrored }], clock);
      assert.deepEqual([only?.name, only?.check().ok, more.length], ["watch/deployments.apps", false, 0]);
    }
  }
});

test("[OPT1] an optional kind that the server lacks is no reason not to be ready", () => {
  const clock = new ManualClock();
  const state: InformerState = { type: "Failing", error: refusal("NotFound", "no such kind"), isSynced: false, sinceMs: 0 };
  const mirrored = [
    { resource: Deployment, state, stats: { heardMs: undefined }, isAbsent: true, isAdded: false, isSynced: false, sinceMs: 0 },
  ];
  const [only] = watchChecks([{ mirrored }], clock);
  assert.deepEqual(only?.check(), { ok: true, note: "optional, and not served by the cluster" });
});

test("[HL2] a kind that the operator converts itself does not keep it from being ready, without which the server could not list it", () => {
  const clock = new ManualClock();
  const state: InformerState = { type: "Failing", error: new Error("conversion webhook failed"), isSynced: false, sinceMs: 0 };
  const mirrored = [Deployment, Pod].map((resource) => ({
    resource,
    state,
    stats: { heardMs: undefined },
    isAbsent: false,
    isAdded: false,
    isSynced: false,
  }));
  const health = watchChecks([{ mirrored }], clock, [Deployment]).map((each) => each.check());
  const reason = "failing for 0s, never heard: conversion webhook failed";
  assert.deepEqual(health, [
    { ok: true, note: `converted here, ${reason}` },
    { ok: false, reason },
  ]);
});
