import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { aborted, onAbort } from "./aborted.ts";

test("an abort is waited for, and is not where it has been", async () => {
  const end = new AbortController();
  const waiting = aborted(end.signal);
  end.abort();
  await waiting;
  await aborted(end.signal);
});

test("a callback is told the reason of an abort once, also of one that has been", () => {
  const end = new AbortController();
  const told: unknown[] = [];
  using _before = onAbort(end.signal, (reason) => told.push(reason));
  end.abort("why");
  using _after = onAbort(end.signal, (reason) => told.push(reason));
  assert.deepEqual(told, ["why", "why"]);
});

test("what is disposed of is told nothing, and leaves nothing on the signal", () => {
  const end = new AbortController();
  onAbort(end.signal, () => assert.fail("it is no longer of interest"))[Symbol.dispose]();
  assert.deepEqual(getEventListeners(end.signal, "abort"), []);
  end.abort();
});

test("where there is no signal nothing is ever aborted", () => {
  using _never = onAbort(undefined, () => assert.fail("nothing was aborted"));
});
