import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { FieldPath } from "../error/field-path.ts";
import { compileSelector, parseSelector, Selector, validateLabelSelector } from "./label-selector.ts";
import type { LabelSelector } from "./label-selector.ts";
import type { Labels } from "../object/labels.ts";
import { ParseError } from "../error/parse-error.ts";

interface Vector {
  readonly error?: string;
  readonly string: string;
  readonly matches?: string;
  readonly sets?: readonly Labels[];
}

type TextVector = Vector & { readonly text: string };
type ObjectVector = Vector & { readonly selector: LabelSelector | null; readonly invalid?: readonly string[] };

const texts: readonly TextVector[] = JSON.parse(readFileSync(new URL("../../testdata/label-selector.json", import.meta.url), "utf8"));
const objects: readonly ObjectVector[] = JSON.parse(
  readFileSync(new URL("../../testdata/label-selector-object.json", import.meta.url), "utf8"),
);
const sets = texts[0]?.sets ?? [];

test("[SEL1] [SEL2] reads, writes and matches the text form as apimachinery does, and refuses in its words", () => {
  for (const { text, error, string, matches } of texts) {
    if (error !== undefined) assert.throws(() => parseSelector(text), new ParseError(error), text);
    else {
      assert.equal(parseSelector(text).toString(), string, text);
      assert.equal(matchesOf(parseSelector(text)), matches, text);
    }
  }
});

test("[SEL3] compiles the object form as apimachinery does: absent selects nothing, empty everything", () => {
  for (const { selector, error, string, matches } of objects) {
    const compile = (): Selector => compileSelector(selector ?? undefined);
    const name = JSON.stringify(selector);
    if (error !== undefined) assert.throws(compile, new ParseError(error), name);
    else {
      assert.equal(compile().toString(), string, name);
      assert.equal(matchesOf(compile()), matches, name);
    }
  }
});

test("[SEL4] validates the object form as the API server does", () => {
  for (const { selector, invalid = [] } of objects) {
    const errors = validateLabelSelector(selector ?? {}, FieldPath.of("spec", "selector"));
    assert.deepEqual(
      errors.map(({ field, body }) => `${field}: ${body}`),
      invalid,
      JSON.stringify(selector),
    );
  }
});

test("[SEL5] labels are plain data: what an object inherits is no label", () => {
  assert.equal(parseSelector("constructor").matches({}), false);
  assert.equal(parseSelector("!toString").matches({}), true);
  assert.equal(parseSelector("constructor=b").matches({ constructor: "b" }), true);
  assert.equal(parseSelector("!a").matches(undefined), true);
});

test("nothing is not everything, though both are written as no text", () => {
  assert.equal(Selector.nothing.matches({ a: "b" }), false);
  assert.equal(Selector.everything.matches({ a: "b" }), true);
  assert.equal(Selector.nothing.toString(), Selector.everything.toString());
});

const labelText = fc.stringMatching(/^[a-z0-9]([a-z0-9_.-]{0,4}[a-z0-9])?$/);
const labelSets = fc.dictionary(labelText, labelText, { maxKeys: 4 });
const objectForm = fc.record({
  matchLabels: labelSets,
  matchExpressions: fc.array(
    fc.oneof(
      fc.record({
        key: labelText,
        operator: fc.constantFrom("In" as const, "NotIn" as const),
        values: fc.array(labelText, { minLength: 1 }),
      }),
      fc.record({ key: labelText, operator: fc.constantFrom("Exists" as const, "DoesNotExist" as const) }),
    ),
    { maxLength: 3 },
  ),
});

test("[SEL2] law: the text form of a selector selects what the selector selects, and is its own text form", () => {
  fc.assert(
    fc.property(objectForm, labelSets, (selector, labels) => {
      const compiled = compileSelector(selector);
      const again = parseSelector(compiled.toString());
      assert.equal(again.matches(labels), compiled.matches(labels));
      assert.equal(again.toString(), parseSelector(again.toString()).toString());
    }),
    { seed: 4 },
  );
});

test("[SEL3] law: a selector of an object's own labels selects it, and its negation does not", () => {
  fc.assert(
    fc.property(labelSets, labelText, (labels, key) => {
      assert.ok(compileSelector({ matchLabels: labels }).matches(labels));
      const has = compileSelector({ matchExpressions: [{ key, operator: "Exists" }] });
      const hasNot = compileSelector({ matchExpressions: [{ key, operator: "DoesNotExist" }] });
      assert.notEqual(has.matches(labels), hasNot.matches(labels));
    }),
    { seed: 5 },
  );
});

test("an operator may be of the type of any text, as schemas of others have it; one that there is not is refused by name", () => {
  const selecting = (operator: string): boolean =>
    compileSelector({ matchLabels: undefined, matchExpressions: [{ key: "app", operator, values: undefined }] }).matches({ app: "web" });
  assert.deepEqual([selecting("Exists"), selecting("DoesNotExist")], [true, false]);
  assert.throws(() => selecting("exists"), new ParseError('"exists" is not a valid label selector operator'));
});

function matchesOf(selector: Selector): string {
  return sets.map((labels) => (selector.matches(labels) ? "1" : "0")).join("");
}
