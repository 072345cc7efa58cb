import assert from "node:assert/strict";
import { test } from "node:test";
import type { Random } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, every, requeueAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import type { OutsideStage } from "../simulation/outside.ts";
import type { ExploreOptions } from "./explore-options.ts";
import { explore, replay } from "./explore.ts";
import { formatPlan } from "./plan-text.ts";

const Site = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Site",
  spec: z.object({ note: z.string().optional() }),
  status: z.object({ id: z.string().optional(), conditions: k.conditions() }),
});
const address = "default/shop";
const ops: ExploreOptions["ops"] = (user) => [
  user.create(Site, { metadata: { name: "shop", namespace: "default" }, spec: {} }),
  user.delete(Site, address),
];

/** A cloud with machines. What is asked for by the same tag is the same. */
class Cloud {
  readonly machines: Map<string, { readonly id: string; state: "Pending" | "Running" }> = new Map();
  readonly #random: Random;
  readonly #later: OutsideStage["later"];

  constructor({ random, later }: OutsideStage) {
    this.#random = random;
    this.#later = later;
  }

  async ensure(tag: string, _signal?: AbortSignal): Promise<string> {
    const machine = this.machines.get(tag) ?? { id: this.#random.uuid(), state: "Pending" };
    if (!this.machines.has(tag)) this.#later(20_000, () => (machine.state = "Running"));
    this.machines.set(tag, machine);
    return machine.id;
  }

  async isRunning(tag: string): Promise<boolean> {
    return this.machines.get(tag)?.state === "Running";
  }

  async remove(tag: string): Promise<void> {
    this.machines.delete(tag);
  }
}

/** Looks at its machine from time to time, or believes that what it made once is there. */
function siteController(cloud: Cloud, looks: "again" | "once"): Controller {
  return defineController(Site, {
    sources: [every("5m")],
    async reconcile({ metadata: { name, generation = 0 }, status }, { setStatus }) {
      const id = looks === "once" && status?.id !== undefined ? status.id : await cloud.ensure(name);
      const isRunning = looks === "once" || (await cloud.isRunning(name));
      await setStatus({
        id,
        conditions: [
          {
            type: "Ready",
            status: isRunning ? "True" : "False",
            reason: isRunning ? "Running" : "Pending",
            message: "",
            observedGeneration: generation,
          },
        ],
      });
      return isRunning ? undefined : requeueAfter("5s");
    },
    async finalize({ metadata: { name } }) {
      await cloud.remove(name);
    },
  });
}

const careful = {
  external: (stage: OutsideStage) => new Cloud(stage),
  controllers: (cloud: Cloud) => [siteController(cloud, "again")],
  ops,
  drift: { "somebody terminates the machines": ({ machines }: Cloud) => machines.clear() },
};
const credulous = { ...careful, controllers: (cloud: Cloud) => [siteController(cloud, "once")] };

test("[OUT1] [OUT3] [OUT6] an operator that looks at what is outside survives every fault there, also what takes its time and what others do", async () => {
  const exploration = await explore({
    ...careful,
    // More than there are plans, so that none is left out for want of time.
    runs: 200,
    ready: (_object, _world, { machines }) => [...machines.values()].every(({ state }) => state === "Running"),
    always: { "there is never more than one machine": (_world, { machines }) => machines.size <= 1 },
    eventually: {
      "each machine belongs to a Site": (world, { machines }) =>
        machines.keys().every((tag) => world.get(Site, `default/${tag}`) !== undefined),
    },
  });
  assert.equal(exploration.findings.length, 0, exploration.report);
  const { Drift, Delay } = exploration.coverage.faults;
  assert.deepEqual([Drift, (Delay?.explored ?? 0) > 0], [{ planned: 1, explored: 1 }, true]);
});

test("[OUT3] [OUT4] [OUT7] an operator that never looks again is found by a change that somebody makes outside, in words, and the plan replays it", async () => {
  const only: ExploreOptions<Cloud> = { ...credulous, faults: { only: ["Drift"] } };
  const exploration = await explore(only);
  const [finding] = exploration.findings;
  assert.equal(finding?.violation.message, "outside: machines.shop is missing (at rest after operation 1, unlike when nothing goes wrong)");
  assert.deepEqual(finding.plan, {
    seed: 1,
    ops: [0],
    faults: [{ type: "Drift", op: 0, change: "somebody terminates the machines" }],
  });
  assert.match(exploration.report, /FAULT {2}outside, at rest after operation 1: somebody terminates the machines/);
  assert.match(exploration.report, /nobody tells the operator/);
  const [first, second] = [await replay(only, formatPlan(finding.plan)), await replay(only, formatPlan(finding.plan))];
  assert.equal(first.findings[0]?.violation.message, finding.violation.message);
  assert.equal(first.traceHash, second.traceHash);
});

test("[OUT3] what others do outside must be what the test has a name for, of an outside that there is", async () => {
  const plan = formatPlan({ seed: 1, ops: [0], faults: [{ type: "Drift", op: 0, change: "a fire" }] });
  await assert.rejects(replay(careful, plan), /drift has no change that is named "a fire"/);
  const controllers = [defineController(Site, { reconcile: async () => {} })];
  assert.throws(() => explore({ controllers, ops, drift: { "a fire": () => {} } }), /drift is about what is outside, so give external/);
});

/** A registry that gives out a number for each entry, whoever asks. */
class Registry {
  readonly entries: Map<string, string> = new Map();

  async register(name: string, _signal: AbortSignal): Promise<string> {
    const id = `entry-${this.entries.size + 1}`;
    this.entries.set(id, name);
    return id;
  }
}

test("[OUT2] [OUT4] whoever gives up on a call that is late, and asks again, has it done twice", async () => {
  const impatient = (registry: Registry): readonly Controller[] => [
    defineController(Site, {
      timeout: "10s",
      async reconcile({ metadata, status }, { setStatus, signal }) {
        if (status?.id === undefined) await setStatus({ id: await registry.register(metadata.name, signal) });
      },
    }),
  ];
  const { findings, report } = await explore({
    external: () => new Registry(),
    controllers: impatient,
    ops: (user) => [user.create(Site, { metadata: { name: "shop", namespace: "default" }, spec: {} })],
    faults: { only: ["Delay"] },
  });
  assert.match(findings[0]?.violation.message ?? "", /outside: entries\.entry-2 is left over: "shop"/);
  assert.match(report, /FAULT {2}call register\("shop"\) is on its way for half a minute, and is done then/);
  assert.match(report, /Not explored: changes that others make outside/);
});

test("[OUT1] [OUT5] services within the outside are reached by their names, and invariants see what a call changed before the cluster hears of it", async () => {
  const outside = () => {
    const names = new Set<string>();
    return { names, dns: { add: async (name: string) => void names.add(name) } };
  };
  const controllers = ({ dns }: ReturnType<typeof outside>): readonly Controller[] => [
    defineController(Site, {
      async reconcile({ metadata }) {
        await dns.add(metadata.name);
      },
    }),
  ];
  const { findings } = await explore({
    external: outside,
    controllers,
    ops: (user) => [user.create(Site, { metadata: { name: "shop", namespace: "default" }, spec: {} })],
    always: { "there are no names": (_world, { names }) => names.size === 0 },
  });
  assert.equal(findings[0]?.violation.message, '"there are no names" did not hold after call dns.add("shop")');
});

test("[OUT4] an outside that shows nothing of what is done there is named as not explored", async () => {
  class Silent {
    #calls = 0;
    async press(): Promise<void> {
      this.#calls++;
    }
    get pressed(): number {
      return this.#calls;
    }
  }
  const { coverage } = await explore({
    external: () => new Silent(),
    controllers: (button) => [
      defineController(Site, {
        async reconcile() {
          await button.press();
        },
      }),
    ],
    ops,
    faults: { only: ["Restart"] },
  });
  assert.ok(coverage.notExplored.some((text) => text.startsWith("what becomes of the outside, which shows no change by any call")));
});
