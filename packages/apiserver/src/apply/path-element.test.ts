import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { compareElements, fieldElement, formatPath, keyElement, parseElement, sortElements, valueElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

const runs = { seed: 31, numRuns: 200 };

suite("[SSA1] a step has one canonical text", () => {
  const spellings: ReadonlyArray<readonly [written: string, canonical: string]> = [
    ["f:a", "f:a"],
    ["f:", "f:"],
    ['k:{"name":"web"}', 'k:{"name":"web"}'],
    ['k:{"protocol":"TCP", "port": 80}', 'k:{"port":80,"protocol":"TCP"}'],
    ['v: "a"', 'v:"a"'],
    ['v:"<"', String.raw`v:"\u003c"`],
    ["v:1.0", "v:1"],
    ["v:9223372036854775807", "v:9223372036854775807"],
    ["i:007", "i:7"],
  ];
  for (const [written, canonical] of spellings) test(written, () => assert.equal(parseElement(written), canonical));
});

test("[SSA1] steps of unknown kinds are nothing, other text is refused", () => {
  assert.equal(parseElement("x:future"), undefined);
  assert.throws(() => parseElement("f"), /key must be 2 characters long/);
  assert.throws(() => parseElement("field"), /missing colon: field/);
  assert.throws(() => parseElement("v:nonsense"));
  assert.throws(() => parseElement("k:[]"), /not an object of keys: \[\]/);
  assert.throws(() => parseElement("i:one"), /invalid index: one/);
});

test("[SSA1] what is built is canonical", () => {
  const scalar = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }), fc.boolean());
  fc.assert(
    fc.property(scalar, fc.string(), (value, name) => {
      for (const element of [valueElement(value), keyElement([[name, value]]), fieldElement(name)])
        assert.equal(parseElement(element), element);
    }),
    runs,
  );
});

test("[SSA1] steps sort by kind, then numbers by size and text by code points", () => {
  const sorted = [
    fieldElement("a"),
    fieldElement("b"),
    fieldElement("\uffff"),
    fieldElement("😀"),
    keyElement([["name", "a"]]),
    keyElement([
      ["name", "a"],
      ["port", 1],
    ]),
    keyElement([["name", "b"]]),
    keyElement([["port", 80]]),
    keyElement([["port", 443]]),
    valueElement(-1),
    valueElement(2),
    valueElement(10),
    valueElement(2n ** 60n),
    valueElement("a"),
    valueElement(false),
    valueElement(true),
    valueElement(null),
    parseElement("i:2"),
    parseElement("i:10"),
  ].filter((element): element is PathElement => element !== undefined);
  assert.deepEqual(sortElements(sorted.toReversed()), sorted);
  for (const [index, element] of sorted.entries())
    assert.equal(Math.sign(compareElements(element, sorted[0] ?? element)), index === 0 ? 0 : 1);
});

test("[SSA1] items by name are in the order of their names", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[\w./-]{0,3}[é"]?$/));
  const elementOf = (name: string): PathElement => keyElement([["name", name]]);
  fc.assert(
    fc.property(names, (list) => assert.deepEqual(sortElements(list.map(elementOf)), list.toSorted().map(elementOf))),
    runs,
  );
});

test("[SSA1] paths read as in messages of the real server", () => {
  const path = [
    fieldElement("spec"),
    fieldElement("a.b/c"),
    keyElement([
      ["name", 'say "hi"\u0001'],
      ["port", 80],
    ]),
    valueElement(true),
    valueElement(null),
    parseElement("i:3") ?? fieldElement(""),
  ];
  assert.equal(formatPath(path), String.raw`.spec.a.b/c[name="say \"hi\"\x01",port=80][=true][=null][3]`);
});
