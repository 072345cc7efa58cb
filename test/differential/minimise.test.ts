import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "../random/dice.ts";
import { minimise } from "./minimise.ts";

const all = Array.from({ length: 31 }, (_, index) => index);

test("what is left still fails, and nothing of it can be left out", async () => {
  const dice = new Dice(1);
  for (let round = 0; round < 100; round++) {
    const guilty = all.filter((item) => item === round % all.length || dice.onceIn(8));
    const fails = async (items: readonly number[]): Promise<boolean> => guilty.every((item) => items.includes(item));
    assert.deepEqual(await minimise(all, fails), guilty);
  }
});
