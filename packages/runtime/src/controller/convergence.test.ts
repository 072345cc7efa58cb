import assert from "node:assert/strict";
import { test } from "node:test";
import { unlessGone } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import fc from "fast-check";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barWorld } from "../testing/bar.ts";
import type { RunningProgram, TestWorld } from "../testing/test-world.ts";

/** What users do, or what happens, while the controller works. */
type Step =
  | { readonly type: "Put"; readonly bar: string; readonly size: number; readonly part: string }
  | { readonly type: "DeleteBar" | "DeletePart" | "PaintPart"; readonly bar: string }
  | { readonly type: "BreakWatches" | "Restart" };

const bar = fc.constantFrom("a", "b", "c");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant("Put" as const), bar, size: fc.integer({ min: 0, max: 5 }), part: fc.constantFrom("x", "y") }),
  fc.record({ type: fc.constantFrom("DeleteBar" as const, "DeletePart" as const, "PaintPart" as const), bar }),
  fc.record({ type: fc.constantFrom("BreakWatches" as const, "Restart" as const) }),
);

/** How long it is until the next step: some come at once, some while the answers to a reconcile are on their way, some when it is done or waits to be tried again. */
const pauseMs = fc.oneof(fc.constant(0), fc.nat(120), fc.nat(3000));

/** What is under way arrives after so long. */
const longestWayMs = 50;

/** Keeps one Part of the wanted name and size, and cleans up after itself: no garbage collector runs here. */
const controller = defineController(Bar, {
  concurrency: 2,
  async reconcile({ metadata, spec }, { apply, setStatus }) {
    const part = await apply(Part, { metadata: { name: `${metadata.name}-${spec.partName}` }, spec: { size: spec.size } });
    await setStatus({ size: part.spec.size });
  },
  owns: [Part],
  async finalize(_bar, { cache, client }) {
    for (const part of cache.owned(Part)) await client.delete(Part, part);
  },
});

test("[CON1] whatever is asked for, lost, broken and restarted on the way: in the end everything is as wanted, and then nothing is written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, pauseMs), { maxLength: 25, size: "max" }), fc.nat(), async (steps, seed) => {
      await using world = await barWorld();
      const random = seededRandom(seed);
      world.intercept = () => {
        const dice = random.next();
        if (dice < 0.1) throw new Error("the request was lost");
        return dice < 0.2 ? "LoseAnswer" : undefined;
      };
      let program = world.start(controller);
      // Nothing tells better what is under way together than what happens to an object between a write to it and the answer.
      world.executed = async ({ method, path }) => {
        const [, part] = /default\/parts\/([^?]+)/.exec(path) ?? [];
        if (method === "PATCH" && part !== undefined && random.next() < 0.4) await unlessGone(world.client.delete(Part, `default/${part}`));
      };
      // As often as not they overtake each other.
      world.delayMs = () => Math.max(0, random.next() * 2 - 1) * longestWayMs;
      for (const [each, ms] of steps) {
        program = await take(world, program, each);
        if (ms > 0) await world.clock.advance(ms);
      }
      world.intercept = () => undefined;
      world.executed = () => undefined;
      world.delayMs = () => 0;
      await world.pass(2_000_000);
      await assertAsWanted(world);
      world.takeWrites();
      program = await take(world, program, { type: "Restart" });
      await world.pass(60_000);
      assert.deepEqual(world.takeWrites(), []);
    }),
    { numRuns: 45 },
  );
});

async function take(world: TestWorld, program: RunningProgram, each: Step): Promise<RunningProgram> {
  const { client } = world;
  switch (each.type) {
    case "Put":
      await client.apply(
        Bar,
        { metadata: { name: each.bar, namespace: "default" }, spec: { partName: each.part, size: each.size } },
        { fieldManager: "user", force: true },
      );
      break;
    case "DeleteBar":
      await unlessGone(client.delete(Bar, `default/${each.bar}`));
      break;
    case "DeletePart":
      for (const name of ["x", "y"]) await unlessGone(client.delete(Part, `default/${each.bar}-${name}`));
      break;
    case "PaintPart":
      await unlessGone(client.mergePatch(Part, `default/${each.bar}-x`, { spec: { size: 99, color: "blue" } }));
      break;
    case "BreakWatches":
      world.breakWatches();
      break;
    case "Restart":
      await Promise.all([program.stop(), world.clock.advance(40 * longestWayMs)]);
      return world.start(controller);
    default:
      each satisfies never;
  }
  return program;
}

async function assertAsWanted({ client }: TestWorld): Promise<void> {
  const bars = (await client.list(Bar)).items;
  const wanted = bars.map(({ metadata, spec }) => `${metadata.name}-${spec.partName} ${spec.size}`);
  const parts = (await client.list(Part)).items.map(({ metadata, spec }) => `${metadata.name} ${spec.size}`);
  assert.deepEqual(parts.toSorted(), wanted.toSorted());
  for (const { spec, status } of bars) assert.equal(status?.size, spec.size);
}
