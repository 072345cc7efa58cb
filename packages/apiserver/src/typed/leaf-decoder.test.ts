import assert from "node:assert/strict";
import { test } from "node:test";
import { Quantity, canonicalTime } from "@kaji/core";
import fc from "fast-check";
import { decodeLeaf } from "./leaf-decoder.ts";

const neverWrong = (): never => assert.fail("of the right type");

test("a time is read as its canonical form, whether or not it is plain to see that it has it", () => {
  const part = (most: number): fc.Arbitrary<string> => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, "0"));
  const year = fc.oneof(
    fc.constant("0001"),
    fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, "0")),
  );
  fc.assert(
    fc.property(year, part(13), part(32), part(24), part(60), part(60), (yyyy, mm, dd, h, m, s) => {
      const text = `${yyyy}-${mm}-${dd}T${h}:${m}:${s}Z`;
      assert.equal(
        outcome(() => decodeLeaf(text, "time", neverWrong)),
        outcome(() => canonicalTime(text)),
      );
    }),
  );
  assert.equal(decodeLeaf("0001-01-01T00:00:00Z", "time", neverWrong), null);
});

test("a quantity is read as its canonical form, whether or not it is plain to see that it has it", () => {
  const suffix = fc.constantFrom("", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "K");
  fc.assert(
    fc.property(fc.stringMatching(/^[-+]?\d{0,5}$/), suffix, (digits, unit) => {
      const text = digits + unit;
      assert.equal(
        outcome(() => decodeLeaf(text, "quantity", neverWrong)),
        outcome(() => Quantity.parse(text).toString()),
      );
    }),
  );
});

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}
