import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { intType, listType, mapType, stringType } from "../check/type.ts";
import { itemsOf, listOf } from "../value/list-value.ts";
import { mapOf } from "../value/map-value.ts";
import { isList, isMap } from "../value/value.ts";
import type { Value } from "../value/value.ts";
import { evaluate } from "../testing/evaluate.ts";

const variables = { list: listType(intType), map: mapType(stringType, intType) };
const numbers = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 8 });

test("[CEL19] items of the same key come in the order in which they come in Go", () => {
  const short = Array.from({ length: 12 }, (_, index) => index);
  assert.deepEqual(plain("list.sortBy(x, 0)", { list: listOf(short) }), short);
  const thirds = [6, 3, 0, 9, 12, 1, 4, 7, 10, 2, 5, 8, 11];
  assert.deepEqual(plain("list.sortBy(x, x % 3)", { list: listOf([...short, 12]) }), thirds);
});

test("[CEL3] macros do with a list what JavaScript does", () => {
  const laws: readonly (readonly [text: string, model: (list: readonly number[]) => unknown])[] = [
    ["list.map(x, x * 2)", (list) => list.map((x) => x * 2)],
    ["list.map(x, x > 0, x * 2)", (list) => list.filter((x) => x > 0).map((x) => x * 2)],
    ["list.filter(x, x % 2 == 0)", (list) => list.filter((x) => x % 2 === 0)],
    ["list.all(x, x > 0)", (list) => list.every((x) => x > 0)],
    ["list.exists(x, x > 0)", (list) => list.some((x) => x > 0)],
    ["list.exists_one(x, x > 0)", (list) => list.filter((x) => x > 0).length === 1],
    ["list.transformList(i, x, i * x)", (list) => list.map((x, i) => (i * x === 0 ? 0 : i * x))],
    ["list.all(i, x, i > x)", (list) => list.every((x, i) => i > x)],
    ["list.map(x, list.filter(y, y > x).size())", (list) => list.map((x) => list.filter((y) => y > x).length)],
    ["list.sort()", (list) => list.toSorted((a, b) => a - b)],
    ["list.sortBy(x, -x)", (list) => list.toSorted((a, b) => b - a)],
    ["dyn(list).flatten()", (list) => list],
    ["[list, list].flatten()", (list) => [...list, ...list]],
    ["list.reverse()", (list) => list.toReversed()],
    ["list.distinct()", (list) => [...new Set(list)]],
    ["list.sum()", (list) => list.reduce((sum, x) => sum + x, 0)],
    ["list + list", (list) => [...list, ...list]],
    ["(list + list)[?7].orValue(99)", (list) => [...list, ...list][7] ?? 99],
    ["list.isSorted()", (list) => list.every((x, i) => i === 0 || (list[i - 1] ?? x) <= x)],
  ];
  fc.assert(
    fc.property(numbers, (list) => {
      for (const [text, model] of laws) assert.deepEqual(plain(text, { list: listOf(list) }), model(list), text);
    }),
  );
});

test("[CEL3] macros go through a map by its keys, or by keys and values", () => {
  const entries = fc.dictionary(fc.string({ maxLength: 3 }), fc.integer({ min: -5, max: 5 }), { maxKeys: 5 });
  fc.assert(
    fc.property(entries, (object) => {
      const map = mapOf(Object.entries(object));
      const doubled = Object.fromEntries(Object.entries(object).map(([key, value]) => [key, value * 2]));
      assert.deepEqual(plain("map.transformMap(k, v, v * 2)", { map }), doubled);
      assert.deepEqual(plain("map.map(k, map[k])", { map }), Object.values(object));
      assert.equal(plain("map.all(k, v, map[k] == v)", { map }), true);
    }),
  );
});

test("[CEL3] a key twice is an error", () => {
  const outcome = evaluate("[1, 1].transformMapEntry(i, x, {x: i})");
  assert.deepEqual(outcome.type === "Error" && outcome.message, "insert failed: key 1 already exists");
});

test("[CEL3] what cannot be gone through is told by its type in Go", () => {
  for (const [text, message] of [
    ["dyn(list.size()).map(x, x)", "got 'types.Int', expected iterable type"],
    ["dyn(ip('::1')).map(x, x)", "got 'cel.IP', expected iterable type"],
    ["dyn(format.uri()).all(x, true)", "got 'cel.Format', expected iterable type"],
    ["dyn(quantity('1')).all(k, v, true)", "unsupported comprehension range type: cel.Quantity"],
    ["dyn('text').transformList(i, v, v)", "unsupported comprehension range type: types.String"],
  ] as const) {
    assert.equal(plain(text, { list: listOf([1]) }), message, text);
  }
});

test("[CEL7] optionals are passed on, and end where something is absent", () => {
  const map = mapOf([["a", 1]]);
  for (const [text, value] of [
    ["map.?a.orValue(9)", 1],
    ["map.?b.orValue(9)", 9],
    ["map[?'b'].or(map.?a).value()", 1],
    ["map.?a.optMap(x, x + 1).value()", 2],
    ["map.?b.optMap(x, 1 / 0).hasValue()", false],
    ["[?map.?a, ?map.?b, 3]", [1, 3]],
    ["{?'x': map.?a, ?'y': map.?b}", { x: 1 }],
    ["optional.of(map).a.orValue(9)", 1],
    ["optional.of(map).b.orValue(9)", 9],
    ["optional.ofNonZeroValue('').hasValue()", false],
  ] as const) {
    assert.deepEqual(plain(text, { map }), value, text);
  }
});

function plain(text: string, bindings: Readonly<Record<string, Value>>): unknown {
  const outcome = evaluate(text, bindings, variables);
  return outcome.type === "Value" ? unwrapped(outcome.value) : outcome.message;
}

function unwrapped(value: Value): unknown {
  if (isList(value)) return itemsOf(value).map(unwrapped);
  if (isMap(value)) return Object.fromEntries(value.keys().map((key) => [key, unwrapped(value.find(key) ?? null)]));
  return value;
}
