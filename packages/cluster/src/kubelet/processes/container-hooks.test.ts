import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lifecycle } from "@kaji/types/core/v1";
import { ProcessStage, ready } from "./testing/process-stage.ts";

const runsAll = (_container: unknown, words: readonly string[]): readonly string[] => words;
const notified: Lifecycle = { preStop: { exec: { command: ["notify"] } } };

test("[PROC12] a container is not started before its hook is done, and is not looked at until then", async () => {
  await using stage = new ProcessStage();
  const run = stage.run({ lifecycle: { postStart: { sleep: { seconds: 5 } } }, readinessProbe: { tcpSocket: { port: 1 } } });
  await stage.start(run);
  await stage.clock.advance(4999);
  assert.deepEqual(await stage.state(run), { ...ready, isStarted: false, isReady: false });
  assert.deepEqual(stage.looks, []);
  await stage.clock.advance(1);
  assert.deepEqual(await stage.state(run), ready);
});

test("[PROC12] a container whose first hook fails is stopped, after its last one, and the events say why", async () => {
  await using stage = new ProcessStage({}, runsAll);
  await stage.start(stage.run({ lifecycle: { postStart: { exec: { command: ["prepare", "$(NAME)"] } }, ...notified } }));
  const [main, prepare] = stage.processes;
  assert.deepEqual(prepare?.program, ["prepare", "$(NAME)"]);
  prepare?.end({ exitCode: 1 });
  await stage.clock.advance(0);
  assert.deepEqual(stage.processes[2]?.program, ["notify"]);
  assert.deepEqual(main?.signals, []);
  stage.processes[2]?.end({ exitCode: 0 });
  await stage.clock.advance(0);
  assert.deepEqual(main?.signals, ["SIGTERM"]);
  assert.deepEqual(stage.notes, ["FailedPostStartHook: PostStartHook failed", "Killing: FailedPostStartHook"]);
});

test("[PROC12] the time of the last hook counts as the container's; that it has failed is told, and changes nothing", async () => {
  await using stage = new ProcessStage({}, runsAll);
  const run = stage.run({ lifecycle: notified });
  const main = await stage.start(run);
  const order = { sinceMs: stage.clock.now(), graceMs: 10_000 };
  assert.deepEqual(stage.runtime.stop(run, order), { ...ready, isReady: false });
  await stage.clock.advance(4000);
  assert.deepEqual(main.signals, []);
  stage.processes[1]?.end({ exitCode: 3 });
  await stage.clock.advance(0);
  assert.deepEqual([main.signals, stage.notes], [["SIGTERM"], ["FailedPreStopHook: PreStopHook failed"]]);
  await stage.clock.advance(5999);
  stage.runtime.stop(run, order);
  assert.deepEqual(main.signals, ["SIGTERM"]);
  await stage.clock.advance(1);
  assert.deepEqual(main.signals, ["SIGTERM", "SIGKILL"]);
});

test("[PROC12] a hook that does not end takes all of the time; the process has two seconds of its own", async () => {
  await using stage = new ProcessStage({}, runsAll);
  const run = stage.run({ lifecycle: notified });
  const main = await stage.start(run);
  const order = { sinceMs: stage.clock.now(), graceMs: 10_000 };
  stage.runtime.stop(run, order);
  await stage.clock.advance(10_000);
  assert.deepEqual([stage.processes[1]?.signals, main.signals], [["SIGKILL"], ["SIGTERM"]]);
  stage.runtime.stop(run, order);
  await stage.clock.advance(1999);
  assert.deepEqual(main.signals, ["SIGTERM"]);
  await stage.clock.advance(1);
  assert.deepEqual([main.signals, stage.notes], [["SIGTERM", "SIGKILL"], []]);
});

test("[PROC12] a pod that is to go at once has no hook, and neither has a control plane that stops", async () => {
  await using stage = new ProcessStage({}, runsAll);
  const run = stage.run({ lifecycle: notified });
  const main = await stage.start(run);
  stage.runtime.stop(run, { sinceMs: stage.clock.now(), graceMs: 0 });
  assert.deepEqual([main.signals, stage.processes.length], [["SIGKILL"], 1]);
  const last = new ProcessStage({}, runsAll);
  await last.start(last.run({ lifecycle: notified }));
  await last[Symbol.asyncDispose]();
  assert.deepEqual([last.processes[0]?.signals, last.processes.length], [["SIGTERM", "SIGKILL"], 1]);
});

test("[PROC12] whoever a hook calls need only answer; a hook by TCP fails", async () => {
  await using stage = new ProcessStage();
  const run = stage.run({ lifecycle: { postStart: { httpGet: { port: 8080, path: "/begin" } }, preStop: { tcpSocket: { port: 1 } } } });
  const main = await stage.start(run);
  assert.match(stage.looks[0] ?? "", /:8080\/begin$/);
  stage.runtime.stop(run, { sinceMs: stage.clock.now(), graceMs: 10_000 });
  await stage.clock.advance(0);
  assert.deepEqual([main.signals, stage.notes], [["SIGTERM"], ["FailedPreStopHook: PreStopHook failed"]]);
});
