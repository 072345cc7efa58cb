import assert from "node:assert/strict";
import { test } from "node:test";
import { durationMs, parseTime } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, owned, recheckAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { user } from "../simulation/operation.ts";
import type { UserVerbs } from "../simulation/operation.ts";
import type { Fault } from "../simulation/plan.ts";
import { Experiment } from "./experiment.ts";
import { explore } from "./explore.ts";
import { singleFaults } from "./single-faults.ts";

const Visit = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Visit",
  spec: z.object({ ttl: k.duration() }),
  status: z.object({ isLong: z.boolean().default(false), begunAt: k.time().optional() }),
});
type Visit = ReturnType<typeof Visit.sample>;

const endMsOf = ({ metadata, spec }: Visit): number => parseTime(metadata.creationTimestamp ?? "") + durationMs(spec.ttl);

/** Ends a visit when its time is over. */
const ending = defineController(Visit, {
  selfVerbs: ["delete"],
  async reconcile(visit, { client, clock }) {
    const leftMs = endMsOf(visit) - clock.now();
    if (leftMs > 0) return recheckAfter(leftMs);
    await client.delete(Visit, visit);
    return undefined;
  },
});

/** The same, but when it looks again, as after a restart, it sees that the visit has begun, and waits for nothing. */
const forgetting = defineController(Visit, {
  owns: [owned(ConfigMap, { applied: false })],
  selfVerbs: ["delete"],
  async reconcile(visit, { cache, client, clock, create }) {
    const leftMs = endMsOf(visit) - clock.now();
    const hasBegun = [...cache.owned(ConfigMap)].length > 0;
    if (leftMs <= 0) await client.delete(Visit, visit);
    if (leftMs <= 0 || hasBegun) return undefined;
    await create(ConfigMap, { metadata: { name: visit.metadata.name } });
    return recheckAfter(leftMs);
  },
});

const exploration = (controller: Controller) =>
  explore({
    controllers: [controller],
    ops: (user: UserVerbs) => [user.create(Visit, { metadata: { name: "v", namespace: "default" }, spec: { ttl: "3h" } }), user.wait("4h")],
    eventually: { "visits end": (world) => world.list(Visit).length === 0 },
    runs: 60,
    findings: 1,
  });

test("[TIM1] time goes by as an operation, and what is due in it happens", async () => {
  const { findings, report } = await exploration(ending);
  assert.deepEqual(findings, [], report);
});

test("[TIM1] who waits for nothing once it was looked at again is found, though all is well until then", async () => {
  const { findings, report } = await exploration(forgetting);
  assert.equal(findings.length, 1);
  assert.match(report, /user {3}let 4h go by/);
});

/** Lets one visit begin after the other. */
const oneAfterTheOther = defineController(Visit, {
  selfVerbs: ["delete"],
  watches: [Visit],
  async reconcile(visit, { cache, client, clock, setStatus }) {
    if ([...cache.list(Visit)].some(({ metadata }) => metadata.name < visit.metadata.name)) return undefined;
    const begunMs = visit.status?.begunAt === undefined ? clock.now() : parseTime(visit.status.begunAt);
    const leftMs = begunMs + durationMs(visit.spec.ttl) - clock.now();
    if (leftMs <= 0) await client.delete(Visit, visit);
    else await setStatus({ begunAt: new Date(begunMs).toISOString() });
    return leftMs > 0 ? recheckAfter(leftMs) : undefined;
  },
});

test("[TIM1] an operator that is killed meanwhile is back before that time is over", async () => {
  const { findings, report } = await explore({
    controllers: [oneAfterTheOther],
    ops: (user) => [
      user.create(Visit, { metadata: { name: "v", namespace: "default" }, spec: { ttl: "3h" } }),
      user.create(Visit, { metadata: { name: "w", namespace: "default" }, spec: { ttl: "3h" } }),
      user.wait("7h"),
    ],
    eventually: { "visits end": (world) => world.list(Visit).length === 0 },
    faults: { only: ["Crash", "Restart"] },
    runs: 80,
  });
  assert.deepEqual(findings, [], report);
});

test("[TIM1] of a fault that strikes while time goes by it is said what comes of it then", async () => {
  const experiment = await Experiment.create({
    controllers: [ending],
    ops: [user.create(Visit, { metadata: { name: "v", namespace: "default" }, spec: { ttl: "3h" } }), user.wait("4h"), user.wait("1h")],
  });
  const { plainPlan } = experiment;
  const faults = singleFaults(await experiment.run(plainPlan));
  const textOf = async (isIt: (fault: Fault) => boolean): Promise<string | undefined> => {
    const { entries } = await experiment.run({ ...plainPlan, faults: faults.filter(isIt) });
    return entries.find((entry) => entry.type === "Fault")?.text;
  };
  assert.equal(
    await textOf((fault) => fault.type === "Crash" && fault.down === "AcrossNextOp"),
    "the operator is killed right after delete visits.testing.kaji.dev default/v, and is back a minute later",
  );
  assert.equal(
    await textOf((fault) => fault.type === "Lag" && fault.until === "AfterNextOp" && fault.at.event.startsWith("DELETED")),
    "the event DELETED Visit.testing.kaji.dev default/v reaches the operator 4 s late",
  );
});

test("[TIM2] what has come of time is not compared with a world in which none went by", async () => {
  const ageing = defineController(Visit, {
    async reconcile(visit, { clock, setStatus }) {
      const leftMs = endMsOf(visit) - clock.now();
      await setStatus({ isLong: leftMs <= 0 });
      return leftMs > 0 ? recheckAfter(leftMs) : undefined;
    },
  });
  const { findings, report } = await explore({
    controllers: [ageing],
    ops: (user) => [
      user.create(Visit, { metadata: { name: "v", namespace: "default" }, spec: { ttl: "3h" } }),
      user.wait("4h"),
      user.create(Visit, { metadata: { name: "w", namespace: "default" }, spec: { ttl: "300h" } }),
    ],
    eventually: { "the first is long": (world) => world.get(Visit, "default/v")?.status?.isLong === true },
    runs: 60,
  });
  assert.deepEqual(findings, [], report);
});

test("[TIM1] what is begun at the very end of the 15 minutes is done before anything else is tried", async () => {
  const archiving = defineController(Visit, {
    owns: [ConfigMap],
    async reconcile(visit, { apply, clock }) {
      const leftMs = endMsOf(visit) - clock.now();
      if (leftMs > 0) return recheckAfter(leftMs);
      for (const part of ["a", "b", "c", "d"]) await apply(ConfigMap, { metadata: { name: `${visit.metadata.name}-${part}` } });
      return undefined;
    },
  });
  const { findings, report } = await explore({
    controllers: [archiving],
    ops: (user: UserVerbs) => [user.create(Visit, { metadata: { name: "v", namespace: "default" }, spec: { ttl: "15m" } })],
    runs: 100,
  });
  assert.deepEqual(findings, [], report);
});
