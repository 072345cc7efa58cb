import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, owned, watch, webhook } from "@kaji/runtime";
import type { Controller, Webhook } from "@kaji/runtime";
import { ConfigMap, Namespace, Secret } from "@kaji/types/core/v1";
import { describeFault } from "../simulation/describe-fault.ts";
import type { Fault, Plan } from "../simulation/plan.ts";
import { traceHash } from "../simulation/trace.ts";
import { CorrectnessError } from "./exploration.ts";
import { Experiment } from "./experiment.ts";
import type { ExploreOptions } from "./explore-options.ts";
import { explore, replay } from "./explore.ts";
import { Judge } from "./judge.ts";
import type { Verdict } from "./judge.ts";
import { failingForEver } from "./oracles.ts";
import { formatPlan } from "./plan-text.ts";
import { timeline } from "../report/timeline.ts";
import { writesOf } from "./run-outcome.ts";
import { shrink } from "./shrink.ts";
import { singleFaults } from "./single-faults.ts";

const Bundle = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Bundle",
  spec: z.object({ note: z.string().optional() }),
});
const at = (name: string) => ({ name, namespace: "default" });
const parts = ["first", "second", "third"];

/** Makes a Secret for each part; the guarded one makes all of them only if the first is missing. */
function bundler(isGuarded: boolean): Controller {
  return defineController(Bundle, {
    owns: [owned(Secret, { applied: false })],
    async reconcile(bundle, { cache, client }) {
      const missing = parts.filter((name) => cache.get(Secret, at(name)) === undefined);
      if (isGuarded && !missing.includes("first")) return;
      for (const name of missing) await client.create(Secret, setControllerReference(bundle, { metadata: at(name) }));
    },
  });
}

const ops: ExploreOptions["ops"] = (user) => [
  user.create(Bundle, { metadata: at("b"), spec: {} }),
  user.mergePatch(Bundle, "default/b", { spec: { note: "1" } }),
  user.mergePatch(Bundle, "default/b", { spec: { note: "2" } }),
];
const broken: ExploreOptions = { controllers: [bundler(true)], ops, faults: { exclude: ["DeleteChild"] }, budget: "1h" };
const sound: ExploreOptions = { ...broken, controllers: [bundler(false)] };
const crash = (write: string): Fault => ({ type: "Crash", at: { write, nth: 1 }, point: "After", down: "Short" });

test("a controller that forgets half of its work when it is killed is found, with the smallest scenario", async () => {
  const { findings, report } = await explore({ ...broken, findings: 1 });
  const [finding] = findings;
  assert.equal(finding?.violation.oracle, "end state");
  assert.equal(finding.violation.subject, "Secret default/second");
  assert.deepEqual(finding.plan.ops, [0]);
  assert.deepEqual(
    finding.plan.faults.map((fault) => fault.type),
    ["Crash"],
  );
  assert.match(report, /the operator is killed right after create secrets default\/first, and is back half a second later/);
  assert.match(report, /operator#2 {2}starts/);
  assert.match(report, /Likely fix: decide each step/);
  assert.match(report, /Not explored: \d+ plans with one fault/);
});

test("[SHR3] what was found when the time is up is told as it is, and that it may be made smaller", async () => {
  const merging = defineController(Bundle, {
    owns: [owned(Secret, { applied: false })],
    async reconcile(bundle, { client, cache }) {
      const isThere = cache.get(Secret, at("first")) !== undefined;
      if (!isThere)
        await client.create(
          Secret,
          setControllerReference(bundle, { metadata: { ...at("first"), labels: { note: bundle.spec.note ?? "" } } }),
        );
    },
  });
  const { findings, report } = await explore({ ...broken, controllers: [merging], budget: "1ms" });
  assert.deepEqual(
    findings.map(({ violation, shrinkingRuns, plan }) => [violation.oracle, shrinkingRuns, plan.ops]),
    [["path independence", 0, [0, 1, 2]]],
  );
  assert.match(report, /There was no time to make it smaller/);
});

test("the same controller without the mistake survives every single fault", async () => {
  const exploration = await explore(sound);
  exploration.expectNoViolations();
  const { faults, notExplored } = exploration.coverage;
  for (const [type, { planned, explored }] of Object.entries(faults)) assert.equal(explored, planned, type);
  assert.ok(notExplored.includes("two or more faults at once"));
});

test("expectNoViolations can be called before the exploration has ended, and throws the report", async () => {
  await assert.rejects(explore({ ...broken, findings: 1 }).expectNoViolations(), (error) => {
    assert.ok(error instanceof CorrectnessError);
    assert.match(error.message, /END STATE/);
    assert.equal(error.findings.length, 1);
    return true;
  });
});

test("a plan from a report finds the same again, and nothing in a controller that was repaired", async () => {
  const { findings } = await explore({ ...broken, findings: 1 });
  const text = formatPlan(findings[0]?.plan ?? assert.fail("nothing was found"));
  assert.equal((await replay(broken, text)).findings[0]?.violation.subject, "Secret default/second");
  assert.deepEqual((await replay(sound, text)).findings, []);
  await assert.rejects(replay(sound, "no plan"), /the text is not a plan/);
});

test("the same plan is the same run each time, to the last byte of its trace", async () => {
  const experiment = await Experiment.create(sound);
  const plan = { ...experiment.plainPlan, faults: [crash("create secrets default/second")] };
  const hashes = new Set<string>();
  for (let time = 0; time < 20; time++) hashes.add(traceHash((await experiment.run(plan)).entries));
  const elsewhere = await Experiment.create(sound);
  hashes.add(traceHash((await elsewhere.run(plan)).entries));
  assert.equal(hashes.size, 1);
});

test("chance that is not taken from the context is reported as such, and not as a bug", async () => {
  let call = 0;
  const moody = defineController(Bundle, {
    owns: [ConfigMap],
    async reconcile(_bundle, { apply }) {
      await apply(ConfigMap, { metadata: at("mood"), data: { mood: String(call++) } });
    },
  });
  const { findings, report } = await explore({ ...broken, controllers: [moody], runs: 1 });
  assert.equal(findings[0]?.violation.oracle, "nondeterminism");
  assert.match(report, /the same run is not the same each time/);
});

test("what a module variable remembers from run to run is said to be that, beside what was found", async () => {
  const seen = new Map<string, string>();
  const remembering = defineController(ConfigMap, {
    name: "painter",
    selfVerbs: ["patch"],
    async reconcile({ metadata, data = {} }, { client }) {
      const { colour = "" } = data;
      const before = seen.get(metadata.name);
      seen.set(metadata.name, colour);
      if (before === undefined || before === colour) return;
      await client.mergePatch(ConfigMap, metadata, { metadata: { annotations: { colour } } });
    },
  });
  const { report } = await explore({
    controllers: [remembering],
    ops: (user) => [
      user.create(ConfigMap, { metadata: { name: "lamp", namespace: "default" }, data: { colour: "red" } }),
      user.mergePatch(ConfigMap, "default/lamp", { data: { colour: "blue" } }),
      user.mergePatch(ConfigMap, "default/lamp", { data: { colour: "green" } }),
    ],
    faults: { only: ["Refuse"] },
    runs: 60,
  });
  assert.match(report, /It was not the same when it was run again: .* in a module variable\./);
});

test("a server that refuses is not always in the same trouble: a write may be repeated by the client, and the operator hears of none of it", async () => {
  const experiment = await Experiment.create({ ...sound, ops });
  const reference = await experiment.run(experiment.plainPlan);
  const refusals = singleFaults(reference).filter((fault) => fault.type === "Refuse");
  assert.deepEqual(new Set(refusals.map(({ reason }) => reason)), new Set([undefined, "ServiceUnavailable", "TooManyRequests"]));
  for (const fault of refusals) {
    const { entries } = await experiment.run({ ...experiment.plainPlan, faults: [fault] });
    assert.ok(entries.some(({ type }) => type === "Fault"));
    const failed = entries.some((entry) => entry.type === "Ended" && entry.error !== undefined);
    assert.equal(failed, fault.reason !== "TooManyRequests", describeFault(fault));
  }
});

test("of five faults the one that matters is left", async () => {
  const experiment = await Experiment.create(broken);
  const judge = new Judge(experiment);
  const plan = {
    ...experiment.plainPlan,
    faults: [
      crash("create secrets default/first zz"),
      { type: "Restart", op: 0, down: "Short" },
      { type: "Restart", op: 1, down: "AcrossNextOp" },
      { type: "Burst", op: 1, gapMs: 30 },
      { type: "Restart", op: 2, down: "Short" },
    ],
  } as const;
  const reference = await judge.reference(plan);
  const first = reference.entries.find((entry) => entry.type === "Write");
  const faults = plan.faults.map((fault) => (fault.type === "Crash" && first?.type === "Write" ? { ...fault, at: first.anchor } : fault));
  const verdict = await judge.judge({ ...plan, faults });
  const violation = verdict.violations[0] ?? assert.fail("nothing was found");
  const shrunk = await shrink(judge, { ...plan, faults }, { verdict, violation }, { runs: 60, isLate: () => false });
  assert.deepEqual(shrunk.plan, { seed: 1, ops: [0], faults: [faults[0]] });
});

test("[SHR1] a plan is not made smaller at the price of another failure", async () => {
  const experiment = await Experiment.create(broken);
  const real = new Judge(experiment);
  const faults = [0, 1].map((op) => ({ type: "Restart", op, down: "Short" }) as const);
  const judging = async (plan: Plan): Promise<Verdict> => {
    const verdict = await real.judge(plan);
    const failure = plan.faults.length === 2 ? `lamp "${plan.ops.length}" is broken` : "there is no lamp";
    return { ...verdict, violations: [failingForEver({ error: failure, isFinalizing: false })] };
  };
  const judge = { operations: real.operations, judge: judging };
  const plan = { ...experiment.plainPlan, faults };
  const verdict = await judging(plan);
  const violation = verdict.violations[0] ?? assert.fail("nothing was found");
  const shrunk = await shrink(judge, plan, { verdict, violation }, { runs: 60, isLate: () => false });
  assert.match(shrunk.violation.message, /lamp "\d" is broken$/);
  assert.deepEqual([shrunk.plan.ops, shrunk.plan.faults], [[0, 1], faults]);
});

test("invariants are looked at after every change", async () => {
  const always = {
    "second before third": (world: { get(of: typeof Secret, key: string): unknown }) => world.get(Secret, "default/third") === undefined,
  };
  const { findings } = await explore({ ...sound, always, findings: 1 });
  assert.deepEqual(
    findings.map(({ violation }) => [violation.oracle, violation.subject]),
    [["invariant", "second before third"]],
  );
});

test("an operation that the server refuses is an error of the test, not a finding", async () => {
  const wrong: ExploreOptions["ops"] = (user) => [user.mergePatch(Bundle, "default/none", { spec: { note: "1" } })];
  await assert.rejects(explore({ ...sound, ops: wrong }), /operation 1 \(patch Bundle default\/none .*\) is refused: .*not found/);
});

test("where operations cannot be derived from a schema, it is said what to give instead", async () => {
  const controllers = [defineController(ConfigMap, { reconcile() {} })];
  await assert.rejects(
    explore({ controllers }),
    /explore: say in ops what users do.*: ConfigMap is no kind that was made by defineResource/,
  );
});

test("[OPS1] operations can be derived from the schema", async () => {
  const { operations } = await explore({ ...sound, ops: "from-schema", runs: 1 });
  assert.deepEqual(
    operations.map(({ text }) => text),
    [
      'create Bundle default/bundle-sample {"spec":{}}',
      'patch Bundle default/bundle-sample {"spec":{"note":"note"}}',
      'patch Bundle default/bundle-sample {"spec":{"note":"note-other"}}',
      'patch Bundle default/bundle-sample {"spec":{"note":null}}',
      "delete Bundle default/bundle-sample",
      'create Bundle default/bundle-sample {"spec":{}}',
    ],
  );
});

const strictSpec = z.object({ host: z.string(), port: z.int32().optional() });

test("[OPS1] operations from a schema of which the server accepts none are an error that says so, not a pass", async () => {
  const Site = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Site",
    spec: strictSpec.check(k.rule("self.host.endsWith('.example.com')", { message: "host must be ours" })),
  });
  const failing = defineController(Site, { reconcile: () => Promise.reject(new Error("never")) });
  await assert.rejects(
    explore({ controllers: [failing] }).expectNoViolations(),
    /nothing that is derived .* so give `ops`: operation 1 \(create Site .*\) is refused: .*host must be ours/,
  );
});

test("webhooks that do not answer are named as not explored, where there are webhooks", async () => {
  const Site = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Site", spec: strictSpec });
  const idle = defineController(Site, { reconcile: async () => {} });
  const silent = "webhooks that do not answer: they do while the operator is away, too";
  const notExplored = async (webhooks: readonly Webhook[]): Promise<readonly string[]> =>
    (await explore({ controllers: [idle], webhooks, runs: 1 })).coverage.notExplored;
  assert.ok((await notExplored([webhook(Site, { validate: () => {} })])).includes(silent));
  assert.equal((await notExplored([])).includes(silent), false);
});

test("[OPS4] operations from a schema that the server refuses are named as not explored", async () => {
  const Site = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Site",
    spec: strictSpec.check(k.rule("!has(self.port) || !has(oldSelf.port) || self.port < oldSelf.port", { message: "port must shrink" })),
  });
  const idle = defineController(Site, { reconcile: async () => {} });
  const { coverage, report, operations } = await explore({ controllers: [idle], runs: 1 });
  assert.ok(operations.length > 0);
  assert.match(coverage.notExplored.join("\n"), /patch Site .*"port":3.* is refused: .*port must shrink/);
  assert.match(report, /Not explored: operation \d+ \(patch Site/);
});

test("a reconcile that never ends well is found though its object is gone in the end, and before what it writes meanwhile", async () => {
  const failing = defineController(Bundle, {
    owns: [ConfigMap],
    async reconcile({ metadata }, { apply, clock }) {
      await apply(ConfigMap, { metadata: { name: metadata.name }, data: { at: String(clock.now()) } });
      throw new Error("not today");
    },
  });
  const { findings } = await explore({
    controllers: [failing],
    ops: (user) => [user.create(Bundle, { metadata: at("b"), spec: {} }), user.delete(Bundle, "default/b")],
    findings: 1,
  });
  assert.deepEqual(
    findings.map(({ violation, plan }) => [violation.oracle, violation.message, plan.ops]),
    [["convergence", "the last reconcile failed, and so does every one after it: not today", [0]]],
  );
});

test("a reconcile that fails until a later operation gives it what it needs is no finding", async () => {
  const waiting = defineController(Bundle, {
    watches: [watch(Secret, { toKeys: () => ["default/b"] })],
    async reconcile(_bundle, { cache }) {
      if (cache.get(Secret, "default/needed") === undefined) throw new Error("there is no Secret yet");
    },
  });
  await explore({
    controllers: [waiting],
    ops: (user) => [
      user.create(Bundle, { metadata: at("b"), spec: {} }),
      user.create(Secret, { metadata: at("needed") }),
      user.delete(Bundle, "default/b"),
    ],
    runs: 10,
  }).expectNoViolations();
});

test("an exploration in which the operator is never asked to do anything is an error, not a pass", async () => {
  const elsewhere: ExploreOptions["ops"] = (user) => [user.create(ConfigMap, { metadata: at("unrelated") })];
  await assert.rejects(
    explore({ ...sound, ops: elsewhere }).expectNoViolations(),
    /nothing was explored, since no operation leads to a reconcile .*: create ConfigMap default\/unrelated/,
  );
});

test("taking away the last finalizer is a write like any other: it is struck by every fault that can strike one", async () => {
  const tidy = defineController(Bundle, { reconcile: async () => {}, finalize: async () => {} });
  const withDelete: ExploreOptions["ops"] = (user) => [
    user.create(Bundle, { metadata: at("b"), spec: {} }),
    user.delete(Bundle, "default/b"),
  ];
  const experiment = await Experiment.create({ controllers: [tidy], ops: withDelete });
  const reference = await experiment.run(experiment.plainPlan);
  const release = writesOf(reference).at(-1) ?? assert.fail("there is no write");
  assert.equal(release.ops, 2);
  assert.equal(release.isEffective, true);
  const struck = singleFaults(reference).filter((fault) => "at" in fault && JSON.stringify(fault.at) === JSON.stringify(release.anchor));
  assert.deepEqual([...new Set(struck.map(({ type }) => type))].toSorted(), ["Crash", "Interfere", "LoseAnswer", "Refuse"]);
  assert.ok(!timeline(reference.entries).some((line) => line.includes("changes nothing")));
});

test("a call to the outside is struck whether or not it changes what can be seen there", async () => {
  const prober = (outside: { probe(): Promise<string> }): readonly Controller[] => [
    defineController(Bundle, {
      async reconcile() {
        await outside.probe();
      },
    }),
  ];
  const { coverage } = await explore({ controllers: prober, external: () => ({ probe: () => Promise.resolve("up") }), ops });
  assert.ok((coverage.faults["Crash"]?.explored ?? 0) >= 3);
  assert.ok((coverage.faults["Refuse"]?.explored ?? 0) >= 3);
});

test("an object of the whole cluster, with namespaces of its own and children in them, survives every single fault", async () => {
  const Team = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Team",
    scope: "Cluster",
    spec: z.object({ spaces: z.array(z.string()) }),
  });
  const controller = defineController(Team, {
    owns: [Namespace, ConfigMap],
    async reconcile({ spec }, { apply }) {
      for (const name of spec.spaces) {
        await apply(Namespace, { metadata: { name } });
        await apply(ConfigMap, { metadata: { namespace: name, name: "welcome" } });
      }
    },
  });
  const exploration = await explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Team, { metadata: { name: "shop" }, spec: { spaces: ["dev", "prod"] } }),
      user.mergePatch(Team, "shop", { spec: { spaces: ["dev"] } }),
      user.delete(Team, "shop"),
    ],
    faults: { only: ["DeleteChild", "Restart"] },
  });
  exploration.expectNoViolations();
});
