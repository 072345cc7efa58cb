import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import type { InformerState } from "@kaji/informer";
import { Pod } from "@kaji/types/core/v1";
import { Deployment } from "@kaji/types/apps/v1";
import { answerHealth } from "./health-checks.ts";
import type { HealthChecks } from "./health-checks.ts";
import { WatchBoard } from "./watch-board.ts";
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
  const board = new WatchBoard(clock);
  let answer: () => Promise<AsyncIterable<Uint8Array>> = async () => (async function* () {})();
  const source = board.observe(() => ({ list: async () => new Uint8Array(), watch: () => answer() }));
  const pods = source(Pod, {});
  const watch = { allowWatchBookmarks: true, timeoutSeconds: 300, signal: new AbortController().signal };
  let state: InformerState = { type: "Syncing" };
  const mirrored = {
    resource: Pod,
    isAbsent: false,
    isAdded: false,
    get state() {
      return state;
    },
    get isSynced() {
      return state.type !== "Syncing";
    },
  };
  const check = (): unknown =>
    watchChecks([{ mirrored: [mirrored] }], board, clock)
      .map((each) => [each.name, each.check()])
      .at(0);

  assert.deepEqual(check(), ["watch/pods", { ok: false, reason: "not synced yet, never heard" }]);
  const [added] = watchChecks([{ mirrored: [{ ...mirrored, isAdded: true }] }], board, clock);
  assert.deepEqual(added?.check(), { ok: true, note: "not synced yet, never heard" });
  await pods.watch(watch);
  state = { type: "Synced" };
  await clock.advance(12_000);
  assert.deepEqual(check(), ["watch/pods", { ok: true, note: "heard 12s ago" }]);

  const error = refusal("ServiceUnavailable", "try later");
  answer = () => Promise.reject(error);
  await assert.rejects(pods.watch(watch));
  state = { type: "Failing", error, isSynced: true };
  await clock.advance(30_000);
  assert.deepEqual(check(), ["watch/pods", { ok: true, note: "failing for 30s, heard 42s ago: try later" }]);
  await clock.advance(60_000);
  await assert.rejects(pods.watch(watch));
  assert.deepEqual(check(), ["watch/pods", { ok: false, reason: "failing for 1m30s, heard 1m42s ago: try later" }]);
});

test("[HL2] a kind that is watched anew is one watch, whose failure before is over when it is answered", async () => {
  const clock = new ManualClock();
  const board = new WatchBoard(clock);
  let isServed = false;
  const source = board.observe(() => ({
    list: () => (isServed ? Promise.resolve(new Uint8Array()) : Promise.reject(refusal("NotFound", "no such kind"))),
    watch: () => Promise.reject(new Error("not asked")),
  }));
  const page = { limit: 500, signal: new AbortController().signal };
  await assert.rejects(source(Pod, { namespace: "a" }).list(page));
  isServed = true;
  await clock.advance(60_000);
  for (let times = 0; times < 3; times++) await source(Pod, { namespace: "a" }).list(page);
  await source(Pod, { namespace: "b" }).list(page);
  assert.deepEqual(
    [...board.watches].map(({ scope, failure }) => [scope.namespace, failure]),
    [
      ["a", undefined],
      ["b", undefined],
    ],
  );
});

test("[HL2] of several mirrors of a kind the worst counts", () => {
  const clock = new ManualClock();
  const error = new Error("no");
  const bad: InformerState[] = [{ type: "Failing", error, isSynced: false }, { type: "Syncing" }];
  const good: InformerState[] = [{ type: "Synced" }, { type: "Failing", error, isSynced: true }];
  for (const one of bad) {
    for (const states of good.flatMap((other) => [
      [one, other],
      [other, one],
    ])) {
      const mirrored = states.map((state) => ({
        resource: Deployment,
        state,
        isAbsent: false,
        isAdded: false,
        isSynced: !bad.includes(state),
      }));
      const [only, ...more] = watchChecks([{ mirrored }], new WatchBoard(clock), clock);
      assert.deepEqual([only?.name, only?.check().ok, more.length], ["watch/deployments.apps", false, 0]);
    }
  }
});

test("[OPT1] an optional kind that the server lacks is no reason not to be ready", () => {
  const clock = new ManualClock();
  const state: InformerState = { type: "Failing", error: refusal("NotFound", "no such kind"), isSynced: false };
  const mirrored = [{ resource: Deployment, state, isAbsent: true, isAdded: false, isSynced: false }];
  const [only] = watchChecks([{ mirrored }], new WatchBoard(clock), clock);
  assert.deepEqual(only?.check(), { ok: true, note: "optional, and not served by the cluster" });
});

test("[HL2] a kind that the operator converts itself does not keep it from being ready, without which the server could not list it", () => {
  const clock = new ManualClock();
  const state: InformerState = { type: "Failing", error: new Error("conversion webhook failed"), isSynced: false };
  const mirrored = [Deployment, Pod].map((resource) => ({ resource, state, isAbsent: false, isAdded: false, isSynced: false }));
  const health = watchChecks([{ mirrored }], new WatchBoard(clock), clock, [Deployment]).map((each) => each.check());
  const reason = "failing for 0s, never heard: conversion webhook failed";
  assert.deepEqual(health, [
    { ok: true, note: `converted here, ${reason}` },
    { ok: false, reason },
  ]);
});
