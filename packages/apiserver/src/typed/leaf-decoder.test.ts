import assert from "node:assert/strict";
import { test } from "node:test";
import { Quantity } from "@kaji/core";
import fc from "fast-check";
import { decodeLeaf } from "./leaf-decoder.ts";

const neverWrong = (): never => assert.fail("of the right type");

test("a time is read as its canonical form, and the zero time as none", () => {
  assert.equal(decodeLeaf("2026-11-16T01:02:03Z", "time", neverWrong), "2026-11-16T01:02:03Z");
  assert.equal(decodeLeaf("2026-11-16T01:02:03.5+01:00", "time", neverWrong), "2026-11-16T00:02:03Z");
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

test("bytes that are no base64 are refused in Go's words, which its converter of maps adds to", () => {
  assert.throws(() => decodeLeaf("ab%", "bytes", neverWrong), {
    message: "illegal base64 data at input byte 2",
    conversion: "error decoding from json: illegal base64 data at input byte 2",
  });
});

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}
