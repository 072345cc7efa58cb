import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseIntOrString, scaledValue } from "./int-or-string.ts";
import { ParseError } from "../error/parse-error.ts";

interface Vector {
  readonly text: string;
  readonly parsed: number | string;
  readonly total: number;
  readonly up: number;
  readonly down: number;
  readonly error?: string;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("../../testdata/int-or-string.json", import.meta.url), "utf8"));

test("[IOS1] a text that is a 32-bit integer becomes a number, as in apimachinery", () => {
  for (const { text, parsed } of vectors) assert.equal(parseIntOrString(text), parsed, text);
});

test("[IOS2] a percentage is scaled and rounded as apimachinery does, and anything else refused in its words", () => {
  for (const { parsed, total, up, down, error } of vectors) {
    if (error === undefined) {
      const scaled = [scaledValue(parsed, total, "up"), scaledValue(parsed, total, "down")];
      // Go's integers have no negative zero.
      assert.deepEqual(
        scaled.map((value) => value + 0),
        [up, down],
        `${parsed} of ${total}`,
      );
    } else assert.throws(() => scaledValue(parsed, total, "up"), new ParseError(error));
  }
});
