import assert from "node:assert/strict";
import { test } from "node:test";
import { ProcessStage, ready } from "./testing/process-stage.ts";

const runsAll = (_container: unknown, words: readonly string[]): readonly string[] => words;
const alive = { exec: { command: ["cat", "$(FILE)"] }, periodSeconds: 5, failureThreshold: 2, timeoutSeconds: 3 };

test("[PROC6] a command that a probe runs says by its exit code how its container is", async () => {
  await using stage = new ProcessStage({}, runsAll);
  const livenessProbe = { ...alive, initialDelaySeconds: 10 };
  const run = stage.run({ livenessProbe, env: [{ name: "FILE", value: "/tmp/health" }] });
  const main = await stage.start(run);
  await stage.clock.advance(9999);
  assert.equal(stage.processes.length, 1);
  await stage.clock.advance(1);
  const look = stage.processes.at(-1);
  assert.deepEqual(look?.program, ["cat", "/tmp/health"]);
  look?.end({ exitCode: 0 });
  await stage.clock.advance(5000);
  assert.equal(stage.processes.length, 3);
  void stage.processes[2]?.onOutput(Buffer.from("no such file"));
  stage.processes[2]?.end({ exitCode: 1 });
  await stage.clock.advance(5000);
  assert.deepEqual(main.signals, []);
  stage.processes[3]?.end({ exitCode: 1 });
  await stage.clock.advance(0);
  assert.deepEqual(main.signals, ["SIGTERM"]);
  assert.deepEqual(stage.notes, [
    "Unhealthy: Liveness probe failed: no such file",
    "Unhealthy: Liveness probe failed: ",
    "Killing: Container main failed liveness probe, will be restarted",
  ]);
});

test("[PROC6] a command that takes too long is ended, and counts as failed", async () => {
  await using stage = new ProcessStage({}, runsAll);
  await stage.start(stage.run({ startupProbe: { ...alive, failureThreshold: 1 } }));
  const [main, look] = stage.processes;
  await stage.clock.advance(2999);
  assert.deepEqual(look?.signals, []);
  await stage.clock.advance(1);
  assert.deepEqual([look?.signals, main?.signals], [["SIGKILL"], ["SIGTERM"]]);
  assert.deepEqual(stage.notes, [
    "Unhealthy: Startup probe failed: command timed out",
    "Killing: Container main failed startup probe, will be restarted",
  ]);
});

test("[PROC6] nothing follows from a command that could not be run", async () => {
  await using stage = new ProcessStage({}, runsAll);
  const run = stage.run({ livenessProbe: { ...alive, failureThreshold: 1 } });
  await stage.start(run);
  const [main, look] = stage.processes;
  look?.end({ exitCode: 128, failure: "spawn cat ENOENT" });
  assert.deepEqual(await stage.state(run), ready);
  assert.deepEqual(main?.signals, []);
  assert.deepEqual(stage.notes, ["Unhealthy: Liveness probe errored and resulted in unknown state: spawn cat ENOENT"]);
});

test("[PROC1] a command for which there is no program is not run: what can be foretold happens, and all else goes well", async () => {
  await using stage = new ProcessStage();
  const run = stage.run({ readinessProbe: { exec: { command: ["pg_isready"] } } });
  await stage.start(run);
  assert.deepEqual(await stage.state(run), ready);
  const broken = stage.run({ readinessProbe: { exec: { command: ["sh", "-c", "exit 1"] } } }, 1);
  await stage.start(broken);
  await stage.clock.advance(1000);
  assert.deepEqual(await stage.state(broken), { ...ready, isReady: false });
  assert.equal(stage.processes.length, 2);
});

test("[PROC6] a probe succeeds when it has succeeded often enough in a row", async () => {
  await using stage = new ProcessStage();
  const readinessProbe = { grpc: { port: 50_051, service: "ready" }, periodSeconds: 1, successThreshold: 3 };
  const run = stage.run({ readinessProbe });
  await stage.start(run);
  await stage.clock.advance(300);
  assert.deepEqual(await stage.state(run), { ...ready, isReady: false });
  await stage.clock.advance(100);
  assert.deepEqual(await stage.state(run), ready);
  assert.ok(stage.looks.every((look) => look.endsWith(":50051")));
});

test("[PROC6] of a container that does not become ready it is told once in a period, however often it is looked at", async () => {
  await using stage = new ProcessStage();
  stage.isWell = false;
  await stage.start(stage.run({ readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: 5 } }));
  await stage.clock.advance(4900);
  assert.ok(stage.looks.length > 20);
  assert.deepEqual(stage.notes, ["Unhealthy: Readiness probe failed: it is not well"]);
});
