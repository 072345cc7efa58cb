import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { formatElapsed, withProgress } from "./progress.ts";

function recorder(isTTY: boolean): { readonly isTTY: boolean; readonly written: string[]; write(text: string): void } {
  const written: string[] = [];
  return { isTTY, written, write: (text) => void written.push(text) };
}

test("on a terminal one line counts the seconds until the work is done", async () => {
  const clock = new ManualClock();
  const output = recorder(true);
  const work = Promise.withResolvers<string>();
  const result = withProgress("building etcd", output, clock, () => work.promise);
  await clock.advance(2500);
  work.resolve("done");
  assert.equal(await result, "done");
  const lines = ["0 s", "1 s", "2 s"].map((elapsed) => `\r\x1b[Kbuilding etcd ${elapsed}`);
  assert.deepEqual(output.written, [...lines, "\n"]);
  assert.equal(clock.pending, 0);
});

test("elsewhere one line is written when the work begins", async () => {
  const output = recorder(false);
  await withProgress("building etcd", output, new ManualClock(), async () => assert.deepEqual(output.written, ["building etcd\n"]));
  assert.deepEqual(output.written, ["building etcd\n"]);
});

test("work that fails ends the line and passes its failure on", async () => {
  const clock = new ManualClock();
  const output = recorder(true);
  await assert.rejects(
    withProgress("building etcd", output, clock, () => Promise.reject(new Error("no"))),
    /^Error: no$/,
  );
  assert.equal(output.written.at(-1), "\n");
  assert.equal(clock.pending, 0);
});

test("elapsed time is in seconds, then in minutes", () => {
  assert.equal(formatElapsed(59_999), "59 s");
  assert.equal(formatElapsed(511_000), "8 min 31 s");
});
