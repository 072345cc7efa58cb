import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned, requeue, use } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "../exploration/explore.ts";
import type { Finding } from "../exploration/finding.ts";
import { describeFault } from "../simulation/describe-fault.ts";
import type { Fault } from "../simulation/plan.ts";
import { adviceOn } from "./advice.ts";

const Zone = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Zone", spec: z.object({ host: z.string() }) });

/** A registrar that remembers who asked, for all to see: each host once, or each time. */
class Registrar {
  readonly hosts: string[] = [];
  readonly #isLog: boolean;

  constructor(isLog: boolean) {
    this.#isLog = isLog;
  }

  async register(host: string): Promise<void> {
    if (this.#isLog || !this.hosts.includes(host)) this.hosts.push(host);
  }
}

function registering(registrar: Registrar): readonly Controller[] {
  return [
    defineController(Zone, {
      async reconcile({ spec }) {
        await registrar.register(spec.host);
      },
    }),
  ];
}

async function fixFor(isLog: boolean): Promise<string> {
  const { report } = await explore({
    controllers: registering,
    external: () => new Registrar(isLog),
    ops: (user) => [
      user.create(Zone, { metadata: { name: "z", namespace: "default" }, spec: { host: "one" } }),
      user.delete(Zone, "default/z"),
    ],
    runs: 1,
  });
  return /✗ 1\. (PATH INDEPENDENCE|IDEMPOTENCY)[^]*?Likely fix: (.*)/.exec(report)?.slice(1).join(": ") ?? report;
}

test("what is left outside the cluster is to be undone in finalize or kept from sight: apply is no help there", async () => {
  assert.match(
    await fixFor(false),
    /^PATH INDEPENDENCE: undo in `finalize`.* if it is only a record of calls, keep it out of what the fake shows/,
  );
});

test("what does not follow a change outside the cluster is to be brought there, and what a crash leaves twice is to be found again", async () => {
  const Flag = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Flag",
    spec: z.object({ on: z.boolean() }),
    status: z.object({ id: z.string().optional() }),
  });
  class Flags {
    readonly flags: Record<string, boolean> = {};

    async put(id: string, on: boolean): Promise<void> {
      this.flags[id] = on;
    }
  }
  const fixes = async (controllers: (outside: Flags) => readonly Controller[]): Promise<readonly string[]> => {
    const { findings } = await explore({
      controllers,
      external: () => new Flags(),
      ops: (user) => [
        user.create(Flag, { metadata: { name: "f", namespace: "default" }, spec: { on: true } }),
        user.mergePatch(Flag, "default/f", { spec: { on: false } }),
      ],
      runs: 20,
    });
    return findings.map((finding) => `${finding.violation.oracle}: ${adviceOn(finding).fix}`);
  };
  const [late] = await fixes((outside) => [
    defineController(Flag, {
      selfVerbs: ["patch"],
      async reconcile({ spec }, { effect }) {
        await effect("flag", { ensure: (token) => outside.put(token, spec.on).then(() => null) });
      },
    }),
  ]);
  assert.match(late ?? "", /^path independence: bring what is outside .* belongs into its `inputs`; if it is only a record/);
  const twice = await fixes((outside) => [
    defineController(Flag, {
      async reconcile({ spec, status }, { random, setStatus }) {
        const id = status?.id ?? random.uuid();
        await outside.put(id, spec.on);
        await setStatus({ id });
      },
    }),
  ]);
  assert.ok(
    twice.some((fix) => fix.startsWith("end state: make it by `effect`")),
    twice.join("\n"),
  );
});

test("what is done again outside the cluster is to be looked at first: apply is no help there", async () => {
  assert.match(await fixFor(true), /^IDEMPOTENCY: look at what there is outside before it is changed; if it is only a record/);
});

test("a change that matters and leads to no reconcile is to be heard of: there is nothing to compare", async () => {
  const Page = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Page",
    spec: z.object({}),
    status: z.object({ theme: z.string().optional() }),
  });
  const themed = defineController(Page, {
    uses: [use(ConfigMap, "get")],
    async reconcile(_page, { live, setStatus }) {
      await setStatus({ theme: (await live.get(ConfigMap, "default/theme"))?.data?.["name"] });
    },
  });
  const fixWith = async (others: readonly Controller[]): Promise<string> => {
    const { findings } = await explore({
      controllers: [...others, themed],
      ops: (user) => [
        user.create(Page, { metadata: { name: "p", namespace: "default" }, spec: {} }),
        user.create(ConfigMap, { metadata: { name: "theme", namespace: "default" }, data: { name: "dark" } }),
      ],
      runs: 1,
    });
    return findings.map((finding) => `${finding.violation.oracle}: ${adviceOn(finding).fix}`)[0] ?? "";
  };
  assert.match(await fixWith([]), /^idempotency: let the last change lead to a reconcile/);
  // That another controller has heard of it is no help to this one.
  const hearing = defineController(ConfigMap, { writesStatus: false, reconcile() {} });
  assert.match(await fixWith([hearing]), /^idempotency: let the last change lead to a reconcile/);
});

test("what the status says and the next reconcile would do is to be done without being asked: one's own status asks for nothing", async () => {
  const Order = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "Order",
    spec: z.object({}),
    status: z.object({ phase: z.string().optional(), seenAt: z.string().optional() }),
  });
  const fixOf = async (controller: Controller): Promise<string> => {
    const { findings } = await explore({
      controllers: [controller],
      ops: (user) => [user.create(Order, { metadata: { name: "o", namespace: "default" }, spec: {} })],
      runs: 1,
    });
    return findings.map((finding) => `${finding.violation.oracle}: ${adviceOn(finding).fix}`)[0] ?? "";
  };
  const inPhases = (toResult: () => ReturnType<typeof requeue> | undefined): Controller =>
    defineController(Order, {
      owns: [owned(ConfigMap, { applied: false })],
      async reconcile({ metadata: { name }, status }, { create, setStatus }) {
        if (status?.phase === "Accepted") return void (await create(ConfigMap, { metadata: { name } }));
        await setStatus({ phase: "Accepted" });
        return toResult();
      },
    });
  assert.match(await fixOf(inPhases(() => undefined)), /^idempotency: do it in the reconcile that makes it necessary, .*`requeue\(\)`/);
  assert.equal(await fixOf(inPhases(requeue)), "");
  // One that writes the same each time has nothing else to do.
  const ticking = defineController(Order, {
    async reconcile(_order, { random, setStatus }) {
      await setStatus({ seenAt: random.uuid() });
    },
  });
  assert.match(await fixOf(ticking), /^idempotency: compare before writing/);
});

test("what is made again and again of an object that waits for its children to go is not to be made", () => {
  const plan = { seed: 1, ops: [0], faults: [] };
  const violation = { oracle: "convergence", subject: "ConfigMap default/records", message: "" } as const;
  const advice = (text: string): string =>
    adviceOn({
      violation,
      plan,
      entries: [{ type: "Op", index: 0, text, atMs: 0 }],
      foundIn: 1,
      firstPlan: plan,
      shrinkingRuns: 0,
      isCutShort: false,
      repeats: 0,
      isReproducible: true,
    }).fix;
  assert.match(advice("delete Zone default/z (Foreground)"), /^make no children of an object that has a deletionTimestamp/);
  assert.doesNotMatch(advice("delete Zone default/z"), /deletionTimestamp/);
});

test("what is wrong though nothing went wrong is not put down to stale reads: a neighbour's child, and the finalizer of somebody else", () => {
  const advice = (oracle: "protected delete" | "lost edit", faults: Finding["plan"]["faults"]): string => {
    const plan = { seed: 1, ops: [0], faults };
    const violation = { oracle, subject: "Part default/p", message: "" };
    const found = { plan, firstPlan: plan, entries: [], foundIn: 1, shrinkingRuns: 0, isCutShort: false, repeats: 0, isReproducible: true };
    return adviceOn({ violation, ...found }).fix;
  };
  const restart = { type: "Restart", op: 0, down: "Short" } as const;
  assert.match(advice("protected delete", []), /^delete only what the object that is reconciled owns/);
  assert.match(advice("protected delete", [restart]), /^delete by the uid/);
  assert.match(advice("lost edit", []), /^take your own finalizer off/);
  assert.match(advice("lost edit", [restart]), /^write with the resourceVersion/);
});

test("a child that is gone is to be made again, or to be named as history", () => {
  const plan = { seed: 1, ops: [0], faults: [{ type: "DeleteChild", op: 0, object: "Job.batch default/once" } as const] };
  const violation = { oracle: "end state", subject: "Job.batch default/once", message: "" } as const;
  const found = { plan, firstPlan: plan, entries: [], foundIn: 1, shrinkingRuns: 0, isCutShort: false, repeats: 0, isReproducible: true };
  assert.match(adviceOn({ violation, ...found }).fix, /^watch what you make .*as history, .* belongs into `retained`/);
});

test("[OUT1] what fails outside is not put down to the API server, and what others change there is to be looked at", () => {
  const told = (fault: Fault): string => {
    const plan = { seed: 1, ops: [0], faults: [fault] };
    const found = { plan, firstPlan: plan, entries: [], foundIn: 1, shrinkingRuns: 0, isCutShort: false, repeats: 0, isReproducible: true };
    const { why, fix } = adviceOn({ violation: { oracle: "end state", subject: "outside", message: "" }, ...found });
    return `${describeFault(fault)} | ${why} | ${fix}`;
  };
  const call = { write: 'call buckets.make("photos") -', nth: 1 };
  assert.match(
    told({ type: "Refuse", at: call }),
    /^call buckets\.make\("photos"\) fails, and nothing is done \| what is outside cannot be reached/,
  );
  assert.match(
    told({ type: "Refuse", at: { write: "create secrets default/tls abc", nth: 2 } }),
    /^the server refuses create .*an API server refuses/,
  );
  assert.match(told({ type: "Delay", at: call }), /whoever gives up does not know .*make it by `effect`/);
  assert.match(told({ type: "Drift", op: 0, change: "a bucket is removed" }), /nobody tells the operator.*by `poll` or `every`/);
});
