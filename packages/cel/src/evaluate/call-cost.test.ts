import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "../compile.ts";
import { intType, listType, stringType } from "../check/type.ts";
import { listOf } from "../value/list-value.ts";
import { evaluate } from "../testing/evaluate.ts";

const variables = { list: listType(intType), text: stringType };
const bindings = { list: listOf([1, 2, 3]), text: "a".repeat(100) };

test("[CEL8] steps cost what they cost in cel-go", () => {
  const cases: readonly (readonly [text: string, cost: number])[] = [
    ["1 + 2", 1],
    ["list", 1],
    ["list[0]", 2],
    ["list[0] == 1", 3],
    ["text == text", 12],
    ["text.startsWith('a')", 11],
    ["text.contains('aaaaaaaaaaaaaaaaaaaa')", 21],
    ["text.matches('a{1,100}')", 1 + 11 * 2],
    ["text + text", 22],
    ["[1, 2]", 0],
    ["[list[0], 2]", 12],
    ["{'a': list[0]}", 32],
    ["2 in list", 4],
    ["list[0] in [1, 2]", 2],
    // For each item: the condition two, the accumulator one, and the predicate; then the result.
    ["list.all(x, x > 0)", 1 + 3 * (3 + 2) + 1],
    ["list.exists(x, x > 5)", 1 + 3 * (4 + 2) + 1],
    ["list.map(x, x)", 1 + 3 * (12 + 1) + 1],
    ["quantity('1Gi').isInteger()", 2],
    // What is no variable, field or item is one step away from its own.
    ["dyn(list)[0]", 4],
    ["{'a': 1}.a", 2],
    ["has({'a': 1}.a)", 1],
    ["[1, 2, 3][1]", 2],
    ["list[?0].hasValue()", 3],
    ["list[?9].hasValue()", 2],
    // What fails costs no less, and neither does what it is given to.
    ["1 / 0 == 1 || true", 2],
    ["quantity('abc').isInteger()", 2],
    ["text.charAt(999) == 'b' || true", 3],
    // A list of a constant is made once, and a choice within a choice costs nothing.
    ["list.map(x, 1)", 1 + 3 * 2 + 1],
    ["true ? (true ? 1 : 2) : 3", 0],
    ["list.slice(1, 3)", 1 + 11 + 2],
    ["list.slice(1, 9)", 1 + 11 + 1],
    ["format.uuid().validate('x').hasValue()", 1 + 18 + 1],
    ["format.date().validate('x').hasValue()", 1 + 18 + 1],
  ];
  for (const [text, cost] of cases) assert.equal(evaluate(text, bindings, variables).cost, cost, text);
});

test("[CEL8] an evaluation ends when it has cost too much", () => {
  const compiled = compile("list.map(x, list.map(y, x * y))", { variables });
  assert.ok(compiled.type === "Program");
  const { program } = compiled;
  const { cost } = program.evaluate(bindings);
  assert.equal(program.evaluate(bindings, { costLimit: cost }).type, "Value");
  const outcome = program.evaluate(bindings, { costLimit: cost - 1 });
  assert.deepEqual(outcome.type === "CostExceeded" && outcome.message, "operation cancelled: actual cost limit exceeded");
});

test("[CEL9] no expression can take long, or much memory, before its cost is known", () => {
  for (const text of [
    "lists.range(1000).all(x, lists.range(1000).all(y, lists.range(1000).all(z, x + y + z >= 0)))",
    "lists.range(9223372036854775807).size() > 0",
    `[[1]]${".map(a, a + a)".repeat(200)}.size() > 0`,
    `['aaaaaaaaaa']${".map(a, a + a)".repeat(200)}.size() > 0`,
    `'a'.replace('', 'aaaaaaaaaa')${".replace('a', 'aaaaaaaaaaaaaaaaaaaa')".repeat(100)} == ''`,
    `optional.of([1])${".optMap(a, a + a)".repeat(200)}.hasValue()`,
    "lists.range(2000).distinct().size() > 0",
    "lists.range(100000).map(x, string(x)).join('').size() > 0",
    "[[1], [2]].flatten(-9).size() > 0",
    "lists.range(dyn('x')) == [] || lists.range(1000).all(x, lists.range(1000).all(y, lists.range(1000).all(z, true)))",
  ]) {
    assert.equal(evaluate(text).type, "CostExceeded", text.slice(0, 60));
  }
});

test("[CEL9] what costs little upstream however large it is cannot be repeated without end", () => {
  const text = "x".repeat(3_000_000);
  const list = listOf(Array.from({ length: 100_000 }, () => 1));
  for (const expression of [
    "list.exists(x, text.size() < 0)",
    "list.exists(x, text.charAt(1) == 'y')",
    "list.exists(x, list != list)",
    "list.exists(x, !list.isSorted())",
    "list.exists(x, [list, list].map(l, [l]) != [list, list].map(l, [l]))",
  ]) {
    assert.equal(evaluate(expression, { list, text }, variables).type, "CostExceeded", expression);
  }
});

test("[CEL11] a pattern matches in linear time", () => {
  const hostile = { text: "a".repeat(5000) };
  assert.deepEqual(evaluate("text.matches('^(a+)+$') && !text.matches('^(a|aa)+b$')", hostile, variables).type, "Value");
});

test("[CEL11] what is no pattern is told in Go's words, however little of it there is to quote", () => {
  for (const [text, quoted] of [
    ["a\\", "trailing backslash at end of expression: ``"],
    ["a(", "missing closing ): `a(`"],
  ] as const) {
    const outcome = evaluate("text.matches(text)", { text }, variables);
    assert.equal(outcome.type === "Value" ? undefined : outcome.message, `error parsing regexp: ${quoted}`);
  }
});
