import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { intType, stringType } from "../check/type.ts";
import { valueOf } from "../testing/evaluate.ts";

const variables = { text: stringType, part: stringType, at: intType };
const text = fc.string({ unit: fc.constantFrom("a", "b", "ä", "日", "😀"), maxLength: 8 });

test("[CEL10] positions count code points", () => {
  fc.assert(
    fc.property(text, text, fc.nat(8), (whole, part, at) => {
      const letters = Array.from(whole);
      const bindings = { text: whole, part, at };
      assert.equal(valueOf("text.size()", bindings, variables), letters.length);
      if (at <= letters.length) {
        assert.equal(valueOf("text.charAt(at)", bindings, variables), letters[at] ?? "");
        assert.equal(valueOf("text.substring(0, at) + text.substring(at)", bindings, variables), whole);
      }
      const found = whole.indexOf(part);
      const index = found < 0 ? -1 : Array.from(whole.slice(0, found)).length;
      assert.equal(valueOf("text.indexOf(part)", bindings, variables), part === "" ? 0 : index);
      assert.equal(valueOf("text.contains(part)", bindings, variables), found >= 0);
    }),
  );
});

test("[CEL10] what is split is joined again, and what is not there is not replaced", () => {
  fc.assert(
    fc.property(text, text, (whole, part) => {
      const bindings = { text: whole, part };
      assert.equal(valueOf("text.split(part).join(part)", bindings, variables), part === "" ? whole : whole);
      assert.equal(valueOf("text.replace(part, part)", bindings, variables), whole);
      if (part !== "") assert.equal(valueOf("text.replace(part, '-')", bindings, variables), whole.replaceAll(part, "-"));
    }),
  );
});

test("[CEL10] text is ordered by its code points", () => {
  assert.equal(valueOf(String.raw`'\uffff' < '😀'`), true);
  assert.equal(valueOf("'Z' < 'a' && 'a' < 'ä'"), true);
});
