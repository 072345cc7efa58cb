import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { createLog } from "./create-log.ts";
import type { LogOptions } from "./create-log.ts";

function written(options: Partial<LogOptions> & { readonly isTTY?: boolean } = {}): { text: string[]; log: ReturnType<typeof createLog> } {
  const text: string[] = [];
  const log = createLog({ write: (line) => text.push(line), isTTY: options.isTTY }, { clock: new ManualClock(), ...options });
  return { text, log };
}

test("[LG1] a line is JSON, with time, level, message, and the fields of the log and its parents", () => {
  const { text, log } = written();
  log.child({ controller: "bar" }).info({ object: "default/a" }, "reconciled");
  const [line = ""] = text;
  assert.deepEqual(JSON.parse(line), {
    level: "info",
    time: "2026-01-01T00:00:00.000Z",
    controller: "bar",
    object: "default/a",
    msg: "reconciled",
  });
});

test("[LG1] a line may be its message alone", () => {
  const { text, log } = written();
  log.info("started");
  log.child({ controller: "bar" }).warn("idle");
  const [first = "", second = ""] = text;
  assert.deepEqual([JSON.parse(first).msg, JSON.parse(second).controller, JSON.parse(second).msg], ["started", "bar", "idle"]);
});

test("[LG1] below the level nothing is written", () => {
  const { text, log } = written({ level: "warn" });
  log.debug("debug");
  log.info("info");
  log.error("error");
  assert.equal(text.length, 1);
});

test("[LG2] on a terminal a line is one that a person reads", () => {
  const { text, log } = written({ isTTY: true });
  log.warn({ object: "default/a", note: "two words", err: new Error("broken\nin two") }, "reconcile failed");
  assert.match(
    text.join(""),
    /^00:00:00\.000 WARN  reconcile failed object=default\/a note="two words" err="broken\\nin two" \S+create-log\.test\.ts:\d+:\d+\)?\n$/,
  );
});

test("[LG2] the place of an error is the first that is of the program itself, not of what it has installed", () => {
  const { text, log } = written({ isTTY: true });
  const stack = [
    "UndeclaredError: no",
    "    at Children.apply (file:///app/node_modules/@kaji/runtime/dist/writes/children.js:80:11)",
    "    at node:internal/process/task_queues:103:5",
    "    at async Object.reconcile (file:///app/src/site.ts:12:7)",
  ];
  log.error({ err: Object.assign(new Error("no"), { stack: stack.join("\n") }) }, "failed");
  assert.match(text.join(""), /err="no" \(file:\/\/\/app\/src\/site\.ts:12:7\)\n$/);
});

test("[LG3] errors are told with their reason and cause", () => {
  const { text, log } = written();
  log.error({ err: new Error("reconcile failed", { cause: refusal("Forbidden", "no") }) }, "failed");
  const { err } = JSON.parse(text.join("")) as { err: { type: string; message: string; cause: { reason: string } } };
  assert.equal(err.message, "reconcile failed: no");
  assert.equal(err.cause.reason, "Forbidden");
});

test("[LG4] secrets are never written, wherever they are", () => {
  const { text, log } = written();
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "n" }, data: { a: "hunter2" } };
  const failure = Object.assign(new Error("Authorization: Bearer hunter2 refused"), {
    request: { headers: { authorization: "Bearer hunter2" } },
  });
  const deep = { token: "hunter2", nested: [{ clientKey: ["hunter2"], Password: "hunter2", secretData: { x: "hunter2" } }] };
  log.child({ accessToken: "hunter2" }).error({ secret, objects: [secret], err: failure, deep, text: "Basic hunter2=" }, "told");
  log.error(secret, "told");
  log.warn("refused: Bearer hunter2");
  log.child({ a: 1 }).warn({ b: 2 }, "refused: Bearer hunter2");
  assert.doesNotMatch(text.join(""), /hunter2/);
  assert.match(text.join(""), /"object":"n\/s"/);
});

test("[LG4] fields without end, and those named like prototypes, do no harm", () => {
  const { text, log } = written();
  const loop: Record<string, unknown> = { ["__proto__"]: 1, big: 2n ** 70n };
  loop["self"] = loop;
  log.info({ loop, ["constructor"]: "x" }, "told");
  assert.match(text.join(""), /"constructor":"x"/);
});
