import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { WatchStream } from "./watch-stream.ts";
import type { FrameFate } from "./watch-stream.ts";

async function* lines(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(texts.map((text) => `${text}\n`).join(""));
  await new Promise(() => {});
}

function reading(fates: Readonly<Record<string, FrameFate>>, ...texts: readonly string[]) {
  const clock = new ManualClock();
  const stream = new WatchStream(
    lines(...texts),
    clock,
    (frame) => fates[frame.toString("utf8").trim()] ?? { type: "Deliver", delayMs: 2 },
  );
  const heard: string[] = [];
  const ended = (async () => {
    for await (const frame of stream) heard.push(Buffer.from(frame).toString("utf8").trim());
  })();
  return { clock, stream, heard, ended };
}

test("an event that is late holds up those after it on its stream, and no event is lost", async () => {
  const { clock, heard } = reading({ b: { type: "Deliver", delayMs: 4000 } }, "a", "b", "c");
  await clock.advance(10);
  assert.deepEqual(heard, ["a"]);
  await clock.advance(4000);
  assert.deepEqual(heard, ["a", "b", "c"]);
});

test("what is held comes when it is let go, in order; meanwhile the stream is not busy", async () => {
  const { clock, stream, heard } = reading({ b: { type: "Hold" } }, "a", "b", "c");
  await clock.advance(60_000);
  assert.deepEqual([heard, stream.isBusy], [["a"], false]);
  stream.release();
  await clock.advance(1);
  assert.deepEqual(heard, ["a", "b", "c"]);
});

test("a stream that breaks ends before the event, and loses what was on its way", async () => {
  const { clock, heard, ended } = reading({ b: { type: "Break" } }, "a", "b", "c");
  await clock.advance(10);
  await ended;
  assert.deepEqual(heard, []);
});
