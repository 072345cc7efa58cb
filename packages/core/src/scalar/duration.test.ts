import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { durationMs, formatDuration, parseDuration } from "./duration.ts";
import { ParseError } from "../error/parse-error.ts";

interface Vector {
  readonly text: string;
  readonly nanos?: string;
  readonly string?: string;
  readonly error?: string;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("../../testdata/duration.json", import.meta.url), "utf8"));

test("[DUR1] reads and writes durations as Go does, and refuses in its words", () => {
  for (const { text, nanos, string, error } of vectors) {
    if (error === undefined) {
      assert.equal(parseDuration(text), BigInt(nanos ?? ""), text);
      assert.equal(formatDuration(parseDuration(text)), string, text);
    } else assert.throws(() => parseDuration(text), new ParseError(error), text);
  }
});

test("[DUR1] law: every int64 of nanoseconds reads back from its text", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanos) => {
      assert.equal(parseDuration(formatDuration(nanos)), nanos);
    }),
    { seed: 2 },
  );
});

test("[DUR2] an author writes milliseconds or text", () => {
  assert.equal(durationMs("30s"), 30_000);
  assert.equal(durationMs("1h30m"), 5_400_000);
  assert.equal(durationMs("1500us"), 1.5);
  assert.equal(durationMs(250), 250);
  assert.equal(durationMs("0"), 0);
});

test("[DUR2] a duration that is negative, not finite or not a duration is refused", () => {
  assert.throws(() => durationMs("-5s"), new RangeError("duration -5s is negative or not finite"));
  assert.throws(() => durationMs(-1), RangeError);
  assert.throws(() => durationMs(Number.NaN), RangeError);
  assert.throws(() => durationMs(Infinity), RangeError);
  assert.throws(() => durationMs("soon"), ParseError);
  const hint = 'time: unknown unit "d" in duration "30d"; hours are the longest unit: 720h';
  assert.throws(() => durationMs("30d"), new ParseError(hint));
  const forms = 'time: unknown unit " minutes" in duration "5 minutes"; write 500ms, 30s, 5m or 1h30m';
  assert.throws(() => durationMs("5 minutes"), new ParseError(forms));
});
