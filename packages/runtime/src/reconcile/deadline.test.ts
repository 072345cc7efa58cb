import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController } from "../declare/define-controller.ts";
import { Bar, barDraft, barWorld } from "../testing/bar.ts";

/** Waits until a signal is aborted, and throws its reason. */
function until(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

test("[RUN28] a deadline aborts one call when its time is over, by the clock, and not the reconcile", async () => {
  await using world = await barWorld();
  const outcomes: string[] = [];
  world.start(
    defineController(Bar, {
      async reconcile(_bar, { deadline, signal }) {
        const error = await until(deadline("10s")).catch((thrown: unknown) => thrown);
        outcomes.push(`${String(error)} ${signal.aborted}`);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(9_999);
  assert.deepEqual(outcomes, []);
  await world.pass(1);
  assert.deepEqual(outcomes, ["TimeoutError: not done within 10 s false"]);
});

test("[RUN28] it is aborted with the reconcile, and leaves no timer behind when that ends", async () => {
  await using world = await barWorld();
  const reasons: string[] = [];
  world.start(
    defineController(Bar, {
      timeout: "5s",
      async reconcile({ spec }, { deadline }) {
        const signal = deadline("10m");
        if (spec.size === 1) return;
        await until(signal).catch((thrown: unknown) => reasons.push(String(thrown)));
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const idle = world.clock.pending;
  await world.client.mergePatch(Bar, "default/a", { metadata: { labels: { again: "yes" } } });
  await world.settle();
  assert.equal(world.clock.pending, idle);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(5_000);
  assert.match(reasons[0] ?? "", /^DeadlineError: the reconcile of default\/a took longer than 5 s/);
});
