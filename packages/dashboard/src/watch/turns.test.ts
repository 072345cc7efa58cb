import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

test("so many at a time, in the order they came, and a failure makes room too", async () => {
  const turn = createTurns(2);
  const order: string[] = [];
  const gates = ["a", "b", "c", "d"].map((name) => ({ name, ...Promise.withResolvers<void>() }));
  const all = gates.map(({ name, promise }) =>
    turn(async () => {
      order.push(name);
      await promise;
    }),
  );
  await Promise.resolve();
  assert.deepEqual(order, ["a", "b"]);
  gates[1]?.reject(new Error("no"));
  await assert.rejects(all[1] ?? Promise.resolve(), /no/);
  await Promise.resolve();
  assert.deepEqual(order, ["a", "b", "c"]);
  for (const { resolve } of gates) resolve();
  await Promise.allSettled(all);
  assert.deepEqual(order, ["a", "b", "c", "d"]);
});
