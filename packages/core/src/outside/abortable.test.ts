import assert from "node:assert/strict";
import { test } from "node:test";
import { abortable } from "./abortable.ts";

const over = new Error("over");

test("[CLK9] a wait ends with what is waited for, or with the reason of its signal, whichever comes first", async () => {
  assert.equal(await abortable(Promise.resolve(1), undefined), 1);
  const end = new AbortController();
  assert.equal(await abortable(Promise.resolve(1), end.signal), 1);
  const waiting = abortable(new Promise(() => {}), end.signal);
  end.abort(over);
  await assert.rejects(waiting, over);
  await assert.rejects(abortable(Promise.resolve(1), end.signal), over);
});

test("[CLK9] what fails after its wait was aborted is no unhandled rejection, which would end the process", async () => {
  for (const abortFirst of [true, false]) {
    const [end, work] = [new AbortController(), Promise.withResolvers<void>()];
    if (abortFirst) end.abort(over);
    const waiting = abortable(work.promise, end.signal);
    end.abort(over);
    await assert.rejects(waiting, over);
    work.reject(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
  }
});
