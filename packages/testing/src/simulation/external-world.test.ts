import assert from "node:assert/strict";
import { test } from "node:test";
import { reachable } from "./external-world.ts";

test("[OUT1] a call is told with what is asked, without what made up values differ in and without the signal that ends it", async () => {
  const calls: string[] = [];
  const outside = { put: async (id: string, flag: object, signal: AbortSignal) => `${id} ${JSON.stringify(flag)} ${signal.aborted}` };
  const reached = reachable(outside, {
    call: async ({ text, act }) => {
      calls.push(text);
      return act();
    },
  }) as typeof outside;
  const id = "0b9ef1d2-8a3c-4b1e-9c43-1d1b7c1f7a10";
  assert.equal(await reached.put(id, { on: true }, new AbortController().signal), `${id} {"on":true} false`);
  assert.deepEqual(calls, ['put("<uid>",{"on":true})']);
});
