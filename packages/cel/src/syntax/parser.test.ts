import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { goText } from "../value/go-text.ts";
import type { Expr } from "./expr.ts";
import { parse } from "./parser.ts";
import { Source } from "./source.ts";

test("[CEL2] operators bind as in cel-go, and chains of logic are balanced", () => {
  const cases: readonly (readonly [text: string, shape: string])[] = [
    ["1 + 2 * 3 - 4", "_-_(_+_(1, _*_(2, 3)), 4)"],
    ["1 < 2 == true", "_==_(_<_(1, 2), true)"],
    ["!a && -b > 1 || c", "_||_(_&&_(!_(a), _>_(-_(b), 1)), c)"],
    ["a ? b : c ? d : e", "_?_:_(a, b, _?_:_(c, d, e))"],
    ["a && b && c && d", "_&&_(_&&_(a, b), _&&_(c, d))"],
    ["a.b[0].c(1, 2)", "_[_](a.b, 0).c(1, 2)"],
    ["a.?b[?c]", '_[?_](_?._(a, "b"), c)'],
    ["!!a", "a"],
    ["--a", "a"],
    ["-5", "-5"],
    ["- 5", "-5"],
    ["has(a.b)", "has(a.b)"],
    ["[1, ?a]", "[1, ?a]"],
    ["{'x': 1, ?'y': a,}", '{"x": 1, ?"y": a}'],
    [".a.b", ".a.b"],
    ["x in y // why", "@in(x, y)"],
  ];
  for (const [text, shape] of cases) assert.equal(shapeOf(parsed(text)), shape, text);
});

test("[CEL2] literals stand for what they stand for in cel-go", () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ["0x1F", 31],
    ["9007199254740993", 9007199254740993n],
    ["-9223372036854775808", -(2n ** 63n)],
    [String.raw`'\x41\u00e4\U0001F600\101\n'`, "Aä😀A\n"],
    [String.raw`r'\n'`, "\\n"],
    ['"""a\n"b" c"""', 'a\n"b" c'],
    ["'''it's'''", "it's"],
    ["null", null],
  ];
  for (const [text, value] of cases) {
    const expr = parsed(text);
    assert.ok(expr.type === "Literal");
    assert.deepEqual(expr.value, value, text);
  }
  const bytes = parsed(String.raw`b'\xff\303ä'`);
  assert.ok(bytes.type === "Literal" && bytes.value instanceof Uint8Array);
  assert.deepEqual([...bytes.value], [0xff, 0xc3, 0xc3, 0xa4]);
});

test("[CEL2] a place is counted in code points, and shown under the line it is in", () => {
  const source = new Source("'😀' +\n\t'日' + )");
  const result = parse(source);
  assert.ok("issues" in result);
  const expected =
    "mismatched input ')' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
  assert.equal(source.describe(result.issues), `ERROR: <input>:2:8: Syntax error: ${expected}\n |  '日' + )\n | ..．....^`);
});

test("[CEL9] what is too deep or too long is refused, and soon", () => {
  const cases: readonly (readonly [text: string, message: string])[] = [
    [`${"(".repeat(250)}1${")".repeat(250)}`, "expression recursion limit exceeded: 250"],
    ["[".repeat(99_999), "expression recursion limit exceeded: 250"],
    [`1${"+1".repeat(49_000)}`, "max recursion depth exceeded"],
    [`a${".b".repeat(49_000)}`, "max recursion depth exceeded"],
    [`'${"a".repeat(100_000)}'`, "expression code point size exceeds limit: size: 100002, limit 100000"],
  ];
  for (const [text, message] of cases) {
    const result = parse(new Source(text));
    assert.deepEqual(result, { issues: [{ position: -1, message }] });
  }
  for (const text of [
    `${"(".repeat(249)}1${")".repeat(249)}`,
    `1${"+1".repeat(250)}`,
    `${"true && ".repeat(9000)}true`,
    `${"!".repeat(9000)}a`,
  ]) {
    assert.ok("expr" in parse(new Source(text)));
  }
});

test("[CEL2] whatever the text is, it is an expression, or there are issues at places in it", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ..."( ) [ ] { } . , ? : + - * / % ! && || == != < <= in true null a self 1 2u 1.5 'a' \"b\" b'c' r'd' ''' all map has x \\ @ ä 😀 \n //".split(
        " ",
      ),
    ),
    fc.string({ unit: "grapheme", maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const source = new Source(pieces.join(" "));
      const result = parse(source);
      if ("expr" in result) return;
      assert.ok(result.issues.length > 0);
      for (const { position } of result.issues) assert.ok(position >= -1 && position <= source.letters.length);
      assert.ok(source.describe(result.issues).startsWith("ERROR: <input>:"));
    }),
  );
});

function parsed(text: string): Expr {
  const result = parse(new Source(text));
  if ("issues" in result) assert.fail(JSON.stringify(result.issues));
  return result.expr;
}

function shapeOf(expr: Expr): string {
  const list = (parts: readonly Expr[]): string => parts.map(shapeOf).join(", ");
  switch (expr.type) {
    case "Literal":
      return typeof expr.value === "string" ? JSON.stringify(expr.value) : goText(expr.value);
    case "Ident":
      return expr.name;
    case "Select":
      return expr.testOnly ? `has(${shapeOf(expr.operand)}.${expr.field})` : `${shapeOf(expr.operand)}.${expr.field}`;
    case "Call":
      return `${expr.target === undefined ? "" : `${shapeOf(expr.target)}.`}${expr.name}(${list(expr.args)})`;
    case "List":
      return `[${expr.items.map(({ value, optional }) => `${optional ? "?" : ""}${shapeOf(value)}`).join(", ")}]`;
    case "Map":
      return `{${expr.entries.map(({ key, value, optional }) => `${optional ? "?" : ""}${shapeOf(key)}: ${shapeOf(value)}`).join(", ")}}`;
    case "Struct":
    case "Comprehension":
      return expr.type;
    default:
      return expr satisfies never;
  }
}
