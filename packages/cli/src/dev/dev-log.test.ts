import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { ManualClock } from "@kaji/core/testing";
import { objectKey } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Terminal } from "../command.ts";
import { DevLog } from "./dev-log.ts";
import type { DevLogOptions } from "./dev-log.ts";
import type { SentReport } from "@kaji/runtime/reports";

const key = (name: string): SentReport["object"]["key"] => objectKey({ namespace: "default", name });
const own = { apiVersion: "example.com/v1", kind: "Bar", key: key("one") } as const;
const deployment = { apiVersion: "apps/v1", kind: "Deployment", key: key("web") } as const;
const pod = { apiVersion: "v1", kind: "Pod", key: undefined } as const;

const quiet: SentReport = {
  type: "Reconcile",
  controller: "bar",
  object: own,
  reconcileId: "1",
  triggers: [{ type: "Change", change: "Added", ...own }],
  reads: [],
  writes: [],
  outcome: "Done",
  error: undefined,
  requeueAfterMs: undefined,
  durationMs: 1.4,
};

const failed = { name: "ApiError", message: "no such\n  luck", stack: "Error: no\n    at f (file:///project/src/bar.ts:12:3)" } as const;

const running = { isEnding: false };

/** What a log with these options writes, each line without its time, and what goes to stdout. */
function written(
  use: (log: DevLog) => void,
  more: Partial<DevLogOptions> = {},
): { readonly lines: readonly string[]; readonly out: string } {
  let [out, err] = ["", ""];
  const terminal: Terminal = { out: (text) => (out += text), err: (text) => (err += text) };
  use(new DevLog({ terminal, clock: new ManualClock(), folder: "/project", log: "info", output: "text", ...more }));
  const lines = err.split("\n").slice(0, -1);
  return { lines: lines.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, "")), out };
}

/** A clock that is moved at once. */
function movedClock(): { readonly clock: Clock; readonly advance: (byMs: number) => void } {
  let ms = 0;
  return { clock: Object.assign(new ManualClock(), { monotonic: () => ms }), advance: (byMs) => void (ms += byMs) };
}

test("a reconcile that was asked for when the one before was about to begin is told so", () => {
  const { lines } = written((log) => log.reconciled({ ...quiet, triggers: [] }));
  assert.match(lines[0] ?? "", /^Bar default\/one +asked meanwhile +done /);
});

test("a reconcile is one line: object, why, how it ended, how long it took, what it read and wrote", () => {
  const { lines } = written((log) => {
    log.reconciled(quiet);
    log.reconciled({
      ...quiet,
      triggers: [{ type: "Change", change: "Updated", ...deployment }],
      reads: [
        { from: "Cache", verb: "get", ...deployment, found: 1 },
        { from: "Cache", verb: "owned", ...pod, found: 3 },
        { from: "Server", verb: "get", ...deployment, key: key("other"), found: 0 },
      ],
      writes: [
        { verb: "apply", ...deployment, field: "spec.replicas", result: "Written", error: undefined },
        { verb: "apply", ...deployment, key: key("same"), result: "Unchanged", error: undefined },
        { verb: "patch/status", ...own, result: "Written", error: undefined },
      ],
      outcome: "RecheckAfter",
      requeueAfterMs: 30_000,
      durationMs: 1234,
    });
  });
  assert.deepEqual(lines, [
    "Bar default/one   created     done       1 ms  nothing to write",
    "Bar default/one   Deployment web changed  done      1.2 s  read Deployment web, 3 Pods, live no Deployment other; applied Deployment web (spec.replicas); patched status; again in 30 s",
  ]);
});

test("what several lists of a kind have found is added up and said to be of several, and an object that is looked at twice is said once", () => {
  const list = { from: "Cache", verb: "by", ...pod, key: undefined } as const;
  const get = { from: "Cache", verb: "get", ...deployment } as const;
  const { lines } = written((log) => {
    log.reconciled({
      ...quiet,
      reads: [
        { ...list, found: 500 },
        { ...get, found: 0 },
        { ...list, found: 500 },
        { ...list, from: "Server", verb: "list", found: 7 },
        { ...get, found: 1 },
      ],
    });
  });
  assert.match(lines[0] ?? "", /read 1000 Pods in 2 lists, Deployment web, live 7 Pods; /);
});

test("a finalizer that is added or removed is told as that", () => {
  const finalizer = { change: "Add", name: "example.com/bars" } as const;
  const patch = { verb: "patch", ...own, result: "Written", error: undefined } as const;
  const { lines } = written((log) => {
    log.reconciled({ ...quiet, writes: [patch, { ...patch, finalizer }, { ...patch, verb: "patch/status" }] });
    log.reconciled({ ...quiet, writes: [{ ...patch, finalizer: { ...finalizer, change: "Remove" } }] });
    log.reconciled({ ...quiet, writes: [{ ...patch, finalizer, result: "Refused" }] });
  });
  assert.deepEqual(
    lines.map((line) => line.replace(/^Bar .* ms {2}/, "")),
    [
      "patched itself, status; added finalizer example.com/bars",
      "removed finalizer example.com/bars",
      "was refused to add finalizer example.com/bars",
    ],
  );
});

test("a part of an object that is read or made is told as that part of it", () => {
  const scale = { from: "Server", verb: "get/scale", ...deployment, found: 1 } as const;
  const log = { ...scale, ...pod, key: key("web-0"), verb: "get/log" } as const;
  const token = { apiVersion: "v1", kind: "ServiceAccount", key: key("web"), verb: "create/token", error: undefined } as const;
  const { lines } = written((devLog) =>
    devLog.reconciled({ ...quiet, reads: [scale, { ...scale, verb: "get" }, log], writes: [{ ...token, result: "Written" }] }),
  );
  assert.equal(
    lines[0]?.replace(/^Bar .* ms {2}/, ""),
    "read live scale of Deployment web, live Deployment web, live log of Pod web-0; created token of ServiceAccount web",
  );
});

test("an eviction, a command in a container and a deletion of many are told in their words", () => {
  const of = { apiVersion: "v1", kind: "Pod", error: undefined } as const;
  const { lines } = written((log) =>
    log.reconciled({
      ...quiet,
      writes: [
        { ...of, key: key("web-0"), verb: "evict", result: "Written" },
        { ...of, key: key("web-1"), verb: "evict", result: "Written" },
        { ...of, key: key("db-0"), verb: "evict", result: "Refused" },
        { ...of, key: key("db-0"), verb: "exec", result: "Written" },
        { ...of, key: key("*"), verb: "deletecollection", selector: "app=web", result: "Written" },
        { ...of, key: key("*"), verb: "deletecollection", result: "Sent" },
      ],
    }),
  );
  assert.equal(
    lines[0]?.replace(/^Bar .* ms {2}/, ""),
    "evicted Pod web-0, Pod web-1; was refused to evict Pod db-0; ran a command in Pod db-0; deleted Pod * (app=web); no answer to delete Pod *",
  );
});

test("what is done for an effect is told; what is intact is not", () => {
  const call = { effect: "bucket", error: undefined } as const;
  const annotation = "example.com/bar-effect-bucket";
  const { lines } = written((log) => {
    log.reconciled({
      ...quiet,
      writes: [{ verb: "patch", ...own, annotation, result: "Written", error: undefined }],
      calls: [{ ...call, call: "ensure", result: "Done" }],
    });
    log.reconciled({ ...quiet, calls: [{ ...call, call: "isIntact", result: "Intact" }] });
    log.reconciled({
      ...quiet,
      calls: [
        { ...call, call: "isIntact", result: "Broken" },
        { ...call, call: "ensure", result: "Failed" },
      ],
    });
    log.reconciled({ ...quiet, calls: [{ ...call, call: "undo", result: "Unfinished" }] });
    log.reconciled({ ...quiet, calls: [{ ...call, call: "undo", result: "Done" }] });
  });
  assert.deepEqual(
    lines.map((line) => line.replace(/^Bar .* ms {2}/, "")),
    [
      "patched annotation example.com/bar-effect-bucket; ensured effect bucket",
      "nothing to write",
      "effect bucket is not intact; failed to ensure effect bucket",
      "has still to undo effect bucket",
      "undid effect bucket",
    ],
  );
});

test("what is written as another user is told with the name of that one", () => {
  const apply = { verb: "apply", ...own, kind: "Secret", result: "Written", error: undefined } as const;
  const as = "system:serviceaccount:shop:deployer";
  const { lines } = written((log) => log.reconciled({ ...quiet, writes: [apply, { ...apply, as }, { ...apply, as, kind: "Service" }] }));
  const [line = ""] = lines;
  assert.match(line, / applied Secret (\S+); as system:serviceaccount:shop:deployer applied Secret \1, Service \1$/);
});

test("what fails again in the same way is said in full once, and once more when it failed otherwise, went well, or another operator runs", () => {
  const failing: SentReport = { ...quiet, outcome: "Error", error: failed };
  const otherwise: SentReport = { ...failing, error: { ...failed, message: "no such thing" } };
  const { lines } = written((log) => {
    for (const report of [failing, failing, otherwise, failing, quiet, failing]) log.reconciled(report);
    log.reconciled({ ...failing, object: { ...own, key: key("two") } });
    log.operatorStarted("bars", 12.3);
    log.reconciled(failing);
  });
  const full = "no such; luck (src/bar.ts:12); will be retried";
  const other = "no such thing (src/bar.ts:12); will be retried";
  const said = lines.map((line) => line.replace(/^Bar .* ms {2}/, ""));
  assert.deepEqual(said, [full, "as before", other, full, "nothing to write", full, full, "operator bars was started after 12 ms", full]);
});

test("columns grow with what goes into them, and what follows is aligned again", () => {
  const long = { ...quiet, object: { ...own, key: key("with-a-name-that-is-longer") } };
  const { lines } = written((log) => [long, quiet].forEach((report) => log.reconciled(report)));
  assert.equal(new Set(lines.map((line) => line.indexOf("done"))).size, 1);
});

test("whatever asks for a reconcile has its words, each once, and long lists are shortened", () => {
  const { lines } = written((log) => {
    for (const triggers of [
      [{ type: "Retry", attempt: 2, error: failed }],
      [{ type: "Timer", afterMs: 600_000 }],
      [{ type: "Source", name: "every 10m" }, { type: "Asked" }],
      [{ type: "Requeue" }, { type: "Conflict" }],
      ["a", "b", "b", "c", "d", "e"].map((name) => ({ type: "Change", change: "Deleted", ...deployment, key: key(name) })),
    ] satisfies SentReport["triggers"][])
      log.reconciled({ ...quiet, triggers });
  });
  assert.deepEqual(
    lines.map((line) => line.slice(18).split(/ {2,}/, 1)[0]),
    [
      "retry 2",
      "after 10 min",
      "every 10m, asked",
      "again, conflict",
      "Deployment a deleted, Deployment b deleted, Deployment c deleted and 2 more",
    ],
  );
});

test("what failed is said with its place, and what comes of it; a forbidden request with what to declare", () => {
  const { lines } = written(
    (log) => {
      log.reconciled(quiet);
      const writes = [{ verb: "apply", ...deployment, result: "Written", error: undefined }] as const;
      log.reconciled({ ...quiet, outcome: "Error", error: failed, writes });
      const refused = (message: string): void => {
        log.reconciled({ ...quiet, outcome: "TerminalError", error: { ...failed, message, stack: "", reason: "Forbidden" } });
      };
      refused('secrets is forbidden: User "a" cannot list resource "secrets"');
      refused('rolebindings "b" is forbidden: user "a" is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""]}');
      refused(
        'rolebindings "b" is forbidden: user "a" is attempting to grant RBAC permissions not currently held: declare permissions: [e] (POST /f)',
      );
      refused('pods "c" is forbidden: exceeded quota: d');
    },
    { log: "error" },
  );
  assert.deepEqual(
    lines.map((line) => line.slice(30)),
    [
      "failed     1 ms  no such; luck (src/bar.ts:12); will be retried; before, it applied Deployment web",
      'gave up    1 ms  secrets is forbidden: User "a" cannot list resource "secrets"; declare it in owns, uses or selfVerbs of the controller; not retried until something changes',
      'gave up    1 ms  rolebindings "b" is forbidden: user "a" is attempting to grant RBAC permissions not currently held; not retried until something changes',
      'gave up    1 ms  rolebindings "b" is forbidden: user "a" is attempting to grant RBAC permissions not currently held: declare permissions: [e] (POST /f); not retried until something changes',
      'gave up    1 ms  pods "c" is forbidden: exceeded quota: d; not retried until something changes',
    ],
  );
});

test("what the operator logs is a line with its fields; failures that a reconcile's own line tells are not told twice", () => {
  const record = { level: "warn", time: "2026-01-01T00:00:00.000Z", object: "default/one", msg: "seen", reconcileId: "1" };
  const { lines } = written((log) => {
    log.operatorSaid(JSON.stringify({ ...record, text: "a b", err: { type: "Error", message: "why", stack: "" } }), running);
    log.operatorSaid(JSON.stringify({ ...record, msg: "reconcile failed; it will be retried" }), running);
    log.operatorSaid(JSON.stringify({ ...record, level: "info", msg: "told to end" }), { isEnding: true });
    log.operatorSaid("{ printed: by hand }", running);
    log.say("src/bar.ts was saved");
  });
  assert.deepEqual(lines, ['seen object=default/one text="a b" err="why"', "{ printed: by hand }", "src/bar.ts was saved"]);
});

test("an error that the operator logs, such as that of a webhook, is told with its place in the project, and in full once", () => {
  const { message, stack } = failed;
  const record = { level: "error", msg: "webhook failed", webhook: "mutate.pod.v1", err: { type: "Error", message, stack } };
  const other = { ...record, err: { ...record.err, message: "other" } };
  const { clock, advance } = movedClock();
  const { lines } = written(
    (log) => {
      for (const each of [record, record, other, record]) {
        log.operatorSaid(JSON.stringify(each), running);
        advance(10_000);
      }
      log.operatorStarted("bars", 12.3);
      log.operatorSaid(JSON.stringify(record), running);
    },
    { clock },
  );
  const full = 'webhook failed webhook=mutate.pod.v1 err="no such\\n  luck" (src/bar.ts:12)';
  assert.deepEqual(lines, [
    full,
    "webhook failed webhook=mutate.pod.v1 as before",
    full.replace("no such\\n  luck", "other"),
    full,
    "operator bars was started after 12 ms",
    full,
  ]);
});

test("what the operator tries again and again is said to fail as before now and then", () => {
  const { clock, advance } = movedClock();
  const { message, stack } = failed;
  const { lines } = written(
    (log) => {
      for (let retryInMs = 500; retryInMs < 560; retryInMs++) {
        const record = { level: "warn", msg: "list failed; will retry", kind: "Bar", retryInMs, err: { type: "Error", message, stack } };
        log.operatorSaid(JSON.stringify(record), running);
        advance(500);
      }
    },
    { clock },
  );
  assert.deepEqual(lines, [
    'list failed; will retry kind=Bar retryInMs=500 err="no such\\n  luck" (src/bar.ts:12)',
    "list failed; will retry kind=Bar retryInMs=520 as before",
    "list failed; will retry kind=Bar retryInMs=540 as before",
  ]);
});

test("on a terminal it has colours, and a line of what went well is as long as the terminal is wide", () => {
  let text = "";
  const screen = { columns: 80, paint: (_paint: string, painted: string) => `\u001B[31m${painted}\u001B[39m` };
  const terminal: Terminal = { out: () => {}, err: (line) => (text += line), screen };
  const log = new DevLog({ terminal, clock: new ManualClock(), folder: "/", log: "info", output: "text" });
  log.reconciled({ ...quiet, reads: [{ from: "Cache", verb: "list", ...pod, found: 12_345 }] });
  log.reconciled({ ...quiet, outcome: "Error", error: { ...failed, stack: "" } });
  const [first = "", second = ""] = stripVTControlCharacters(text).split("\n");
  assert.notEqual(stripVTControlCharacters(text), text);
  assert.ok(first.length === 80 && first.endsWith("…"), first);
  assert.match(second, /luck; will be retried$/);
});

test("as JSON each reconcile and each line of the operator is an object on stdout", () => {
  const { lines, out } = written(
    (log) => {
      log.reconciled(quiet);
      log.operatorSaid('{"level":"info","msg":"seen"}', running);
      log.operatorSaid("printed", running);
    },
    { output: "json" },
  );
  assert.deepEqual(lines, []);
  const values = out
    .split("\n")
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
  const { error: _, requeueAfterMs: __, ...sent } = quiet;
  assert.deepEqual(values, [sent, { type: "Log", level: "info", msg: "seen" }, { type: "Output", text: "printed" }]);
});
