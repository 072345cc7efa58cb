import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController } from "../declare/define-controller.ts";
import { Bar, barDraft, barWorld } from "../testing/bar.ts";
import { ReconcileHistory } from "./reconcile-history.ts";

interface Line {
  readonly at: string;
  readonly object: { readonly key: string };
  readonly outcome: string;
  readonly error?: { readonly message: string };
}

function linesOf(history: ReconcileHistory): readonly Line[] {
  const lines = history.answer().body.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

test("[REP4] the last twenty reconciles of each object are remembered, with when they ended and what went wrong", async () => {
  await using world = await barWorld();
  using history = new ReconcileHistory(world.clock);
  let isDown = true;
  world.start(
    defineController(Bar, {
      reconcile() {
        if (isDown) throw new Error("down");
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  isDown = false;
  await world.pass(1000);
  const [first, second] = linesOf(history);
  assert.deepEqual([first?.object.key, first?.outcome, first?.error?.message], ["default/a", "Error", "down"]);
  assert.equal(second?.outcome, "Done");
  assert.equal(Date.parse(second.at) - Date.parse(first?.at ?? ""), 5);
  await world.client.create(Bar, barDraft("b"));
  for (let size = 2; size < 30; size++) {
    await world.client.mergePatch(Bar, "default/a", { spec: { size } });
    await world.settle();
  }
  const keys = linesOf(history).map(({ object }) => object.key);
  assert.deepEqual([keys.filter((key) => key === "default/a").length, keys.filter((key) => key === "default/b").length], [20, 1]);
});
