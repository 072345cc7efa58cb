import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { FieldSelector, parseFieldSelector } from "./field-selector.ts";
import { ParseError } from "../error/parse-error.ts";

interface Vector {
  readonly text: string;
  readonly error?: string;
  readonly string: string;
  readonly matches?: string;
  readonly sets?: ReadonlyArray<Readonly<Record<string, string>>>;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("../../testdata/field-selector.json", import.meta.url), "utf8"));
const sets = vectors[0]?.sets ?? [];

test("[FSEL1] reads, writes and matches as apimachinery does, and refuses in its words", () => {
  for (const { text, error, string, matches } of vectors) {
    if (error !== undefined) {
      assert.throws(() => parseFieldSelector(text), new ParseError(error), text);
      continue;
    }
    const selector = parseFieldSelector(text);
    const found = sets.map((fields) => (selector.matches((field) => fields[field]) ? "1" : "0")).join("");
    assert.deepEqual([selector.toString(), found], [string, matches], text);
  }
});

test("[FSEL2] law: any value survives being written and read", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom("=" as const, "!=" as const), (value, operator) => {
      const selector = new FieldSelector([{ field: "a.b", operator, value }]);
      assert.deepEqual(parseFieldSelector(selector.toString()).requirements, selector.requirements);
    }),
    { seed: 6 },
  );
});
