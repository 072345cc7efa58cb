import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { ParseError } from "../error/parse-error.ts";
import { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime, parseMicroTime, parseTime } from "./time.ts";

interface Vector {
  readonly text: string;
  readonly time?: string | null;
  readonly timeError?: string;
  readonly epochMs?: string;
  readonly microTime?: string | null;
  readonly microTimeError?: string;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("../../testdata/time.json", import.meta.url), "utf8"));

test("[TIME1] reads a Time as apimachinery does, and stores it in UTC and whole seconds", () => {
  for (const { text, time, timeError, epochMs } of vectors) {
    if (timeError === undefined) {
      assert.equal(canonicalTime(text), time, text);
      assert.equal(parseTime(text), Number(epochMs), text);
    } else {
      assert.throws(() => canonicalTime(text), new ParseError(timeError), text);
      assert.throws(() => parseTime(text), new ParseError(timeError), text);
    }
  }
});

test("[TIME2] a MicroTime has six digits of fraction, no more and no less", () => {
  for (const { text, microTime, microTimeError, epochMs } of vectors) {
    if (microTimeError === undefined) {
      assert.equal(canonicalMicroTime(text), microTime, text);
      if (epochMs !== undefined) assert.equal(parseMicroTime(text), Number(epochMs), text);
    } else {
      assert.throws(() => canonicalMicroTime(text), new ParseError(microTimeError), text);
      assert.throws(() => parseMicroTime(text), new ParseError(microTimeError), text);
    }
  }
});

const firstMs = Date.UTC(-1, 0, 1);
const lastMs = Date.UTC(9999, 11, 31);

test("[TIME3] law: what is written is what ECMAScript writes, and reads back", () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(0, 0, 1) - 1e13, max: lastMs }), (ms) => {
      const iso = new Date(ms).toISOString();
      assert.equal(formatTime(ms), `${iso.slice(0, 19)}Z`);
      assert.equal(formatMicroTime(ms), iso.replace("Z", "000Z"));
      assert.equal(parseTime(formatTime(ms)), Math.floor(ms / 1000) * 1000);
      assert.equal(parseMicroTime(formatMicroTime(ms)), ms);
    }),
    { seed: 3 },
  );
});

test("[TIME1] law: a time is the same with and without a fraction of nothing, and so is what is wrong with it", () => {
  const two = (max: number): fc.Arbitrary<string> => fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, "0"));
  const text = fc.tuple(two(99), two(99), two(13), two(32), two(25), two(60), two(60), fc.constantFrom("Z", "z", " "));
  const canonical = (time: string): string | null => {
    try {
      return canonicalTime(time);
    } catch (error) {
      return error instanceof ParseError ? "refused" : "failed";
    }
  };
  fc.assert(
    fc.property(text, ([century, year, month, day, hour, minute, second, zone]) => {
      const time = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}`;
      assert.equal(canonical(`${time}${zone}`), canonical(`${time}.0${zone}`));
    }),
    { seed: 5 },
  );
});

test("[TIME1] a day is taken just if there is one in that year", () => {
  for (const year of ["0000", "0001", "1900", "2000", "2023", "2024", "9999"]) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const date = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
        const ms = Date.parse(`${date}T00:00:00Z`);
        const isThere = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
        if (!isThere) assert.throws(() => canonicalTime(`${date}T01:02:03Z`), ParseError);
        else assert.equal(canonicalTime(`${date}T01:02:03Z`), `${date}T01:02:03Z`);
      }
    }
  }
});

test("[TIME3] years outside four digits are written as Go writes them", () => {
  assert.equal(formatTime(firstMs), "-0001-01-01T00:00:00Z");
  assert.equal(formatTime(Date.UTC(10_000, 0, 1)), "10000-01-01T00:00:00Z");
});

test("[TIME3] what is not a time in milliseconds is refused", () => {
  assert.throws(() => formatTime(Number.NaN), new RangeError("NaN is not a time in milliseconds"));
  assert.throws(() => formatMicroTime(Infinity), RangeError);
});
