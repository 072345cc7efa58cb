import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import fc from "fast-check";
import { FieldSet } from "./field-set.ts";
import { decodeFields } from "./fields-v1.ts";
import { fieldElement, keyElement, valueElement } from "./path-element.ts";

const runs = { seed: 31, numRuns: 200 };

const element = fc.oneof(
  fc.string().map(fieldElement),
  fc.constantFrom("__proto__", "constructor").map(fieldElement),
  fc.oneof(fc.integer(), fc.string(), fc.boolean()).map(valueElement),
  fc.tuple(fc.integer(), fc.string()).map(([port, protocol]) =>
    keyElement([
      ["port", port],
      ["protocol", protocol],
    ]),
  ),
);
const set = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 10 }).map((paths) => FieldSet.of(...paths));

/** What the real server makes of sets that others wrote; see tools/vectors/apply. */
const { fields: vectors }: { fields: ReadonlyArray<{ readonly written: string; readonly encoded: string }> } = JSON.parse(
  readFileSync(new URL("../../testdata/apply.json", import.meta.url), "utf8"),
);

suite("[SSA2] sets are read and written as by the real server, byte for byte", () => {
  for (const { written, encoded } of vectors) {
    test(written, () => assert.equal(JSON.stringify(decodeFields(JSON.parse(written)).fields.encoded), encoded));
  }
});

test("[SSA2] what is written is read the same, also by way of JSON", () => {
  fc.assert(
    fc.property(set, (fields) => {
      const decoded = decodeFields(JSON.parse(JSON.stringify(fields.encoded)));
      assert.ok(decoded.fields.equals(fields));
      assert.equal(decoded.canonical, true);
    }),
    runs,
  );
});

test("[SSA2] equal sets are written the same, in the same order", () => {
  fc.assert(
    fc.property(set, set, (left, right) => {
      assert.equal(JSON.stringify(left.union(right).encoded), JSON.stringify(right.union(left).encoded));
    }),
    runs,
  );
});

test("[SSA2] what would be written otherwise is not canonical", () => {
  for (const written of [
    { ".": {} },
    { "f:a": { ".": {} } },
    { "f:a": null },
    { "x:future": {} },
    { 'k:{"b":1,"a":2}': {} },
    undefined,
    null,
  ]) {
    assert.equal(decodeFields(written).canonical, false, JSON.stringify(written));
  }
});

test("[SSA2] what is no set is refused", () => {
  for (const written of [1, "f:a", [], { "f:a": 1 }, { "f:a": { b: {} } }]) assert.throws(() => decodeFields(written), TypeError);
});
