import assert from "node:assert/strict";
import { test } from "node:test";
import { TerminalSizes } from "./terminal-sizes.ts";

test("[CMD10] who is slow to read the sizes of a terminal has the last one, and their end", async () => {
  const sizes = new TerminalSizes();
  const reader = sizes[Symbol.asyncIterator]();
  sizes.set({ columns: 80, rows: 24 });
  assert.deepEqual(await reader.next(), { done: false, value: { columns: 80, rows: 24 } });
  for (const columns of [90, 100, 110]) sizes.set({ columns, rows: 30 });
  sizes.end();
  assert.deepEqual(await reader.next(), { done: false, value: { columns: 110, rows: 30 } });
  assert.deepEqual(await reader.next(), { done: true, value: undefined });
});
