import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { Metrics } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";

const page = readFileSync(new URL("../../docs/operating-an-operator.md", import.meta.url), "utf8");
const metricName = /\b(?:controller_runtime|kaji|leader_election|nodejs|process|rest_client|workqueue)_[a-z0-9_]+/g;

test("metrics that the page names are there, with the labels that it gives them", async () => {
  const labels = await servedLabels();
  const rows = [...page.matchAll(/^\| (`[a-z0-9_`, ]+`) +\| ((?:`[a-z]+`(?:, )?)*) *\|/gm)];
  assert.ok(rows.length > 15, "the table was found");
  for (const [, names = "", given = ""] of rows) {
    for (const name of names.match(metricName) ?? []) assert.deepEqual(given.match(/[a-z]+/g) ?? [], labels.get(name), name);
  }
});

test("alerts of the page ask for metrics and labels that there are", async () => {
  const labels = await servedLabels();
  const expressions = [...page.matchAll(/^ +expr: (.*)$/gm)].map(([, expression = ""]) => expression);
  assert.ok(expressions.length > 5, "the alerts were found");
  for (const expression of expressions) {
    const [name = ""] = expression.match(metricName) ?? [];
    const known = labels.get(name.replace(/_bucket$/, ""));
    assert.ok(known !== undefined, `${name} of ${expression}`);
    const [, groups = ""] = /\bby \(([^)]*)\)/.exec(expression) ?? [];
    const [, matchers = ""] = /\{([^}]*)\}/.exec(expression) ?? [];
    const used = [...(groups.match(/[a-z]+/g) ?? []), ...matchers.matchAll(/([a-z]+)=/g).map(([, label = ""]) => label)];
    const expected = name.endsWith("_bucket") ? [...known, "le"] : known;
    for (const label of used) assert.ok(expected.includes(label), `${label} of ${expression}`);
  }
});

test("what the page quotes of the log, of events and of variables is what the program says", () => {
  const root = new URL("../../packages/runtime/src/", import.meta.url);
  const source = globSync("**/*.ts", { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => readFileSync(new URL(path, root), "utf8"))
    .join("\n");
  for (const said of [
    "reconcile failed; requeued with backoff",
    "the event loop stood still",
    "ReconcileFailed",
    "WriteLoop",
    "retryInMs",
    "SIGUSR2",
    "list or watch failed; will retry",
    "list and watch are answered again",
    "reconcileId",
  ]) {
    assert.ok(page.includes(said) && source.includes(said), said);
  }
  for (const [, variable = ""] of page.matchAll(/\bKAJI_([A-Z_]+)/g)) {
    const flag = variable.toLowerCase().replaceAll("_", "-");
    assert.ok(source.includes(`name: "${flag}"`), `--${flag}`);
  }
});

/** The labels of each metric of an operator that has done a little of everything. */
async function servedLabels(): Promise<ReadonlyMap<string, readonly string[]>> {
  const metrics = new Metrics();
  metrics.collectProcess();
  const load = { queued: 0, queuedBy: new Map(), delayed: 0, nextDueInMs: undefined, inFlight: 0, looking: 0, workedMs: [], failing: 0 };
  using _tracked = metrics.controllers.track({ controller: { name: "website", concurrency: 1 }, load });
  const stats = { objects: 1, bytes: 1, reservedBytes: 1, pendingWrites: 0, subscriptions: 1, heardMs: undefined };
  const mirrored = [{ resource: ConfigMap, state: { type: "Synced" } as const, stats, isSynced: true, isAbsent: false, isAdded: false }];
  metrics.mirrors.track("website", { mirrored });
  metrics.controllers.keyTaken("website", 1);
  metrics.controllers.reconciled("website", "Done", 1);
  metrics.setLeading("websites", true);
  metrics.setShards("websites", 8, 1);
  metrics.webhooks.requestBegun("/validate");
  metrics.webhooks.requestDone("/validate", 200, 1);
  const transport = metrics.restClient.measure(async () => ({ status: 200, headers: {}, body: (async function* () {})() }), {
    host: "server",
    clock: new ManualClock(),
  });
  await transport({ method: "GET", path: "/version", headers: {} });
  const { body } = await metrics.text();
  const labels = new Map<string, readonly string[]>();
  for (const [, name = "", given = ""] of body.matchAll(/^([a-z0-9_]+?)(?:_count)?(?:\{([^}]*)\})? \S+$/gm)) {
    labels.set(name, given.match(/[a-z]+(?==")/g) ?? []);
  }
  return labels;
}
