import { isError } from "../value/value.ts";
import { partsOf } from "../syntax/expr.ts";
import type { Expr, ItemExpr } from "../syntax/expr.ts";
import type { Issue } from "../syntax/source.ts";
import { compilePattern } from "../library/pattern.ts";
import { clauseError, readFormat } from "../library/string-format.ts";
import type { Clause } from "../library/string-format.ts";
import type { CheckedExpr } from "./checker.ts";
import { formatType, sameType, unwrapOptional } from "./type.ts";
import type { Type, TypeKind } from "./type.ts";

/** What can be told to be wrong with the literals of an expression: constants that cannot be converted, patterns, formats, mixed types. */
export function validateLiterals(checked: CheckedExpr): readonly Issue[] {
  const all = [...everyPart({ expr: checked.expr, isExempt: false })];
  return [
    ...all.flatMap(({ expr }) => conversionIssues(checked, expr)),
    ...all.flatMap(({ expr, isExempt }) => (isExempt ? [] : mixedIssues(checked, expr))),
    ...all.flatMap(({ expr }) => formatIssues(checked, expr)),
  ];
}

interface Part {
  readonly expr: Expr;
  /** Whether it is an argument of a format, where types may be mixed. */
  readonly isExempt: boolean;
}

function* everyPart(whole: Part, seen = new Set<Expr>()): Generator<Part> {
  const { expr } = whole;
  if (seen.has(expr)) return;
  seen.add(expr);
  yield whole;
  const isExempt = whole.isExempt || (expr.type === "Call" && expr.name === "format");
  for (const part of partsOf(expr)) yield* everyPart({ expr: part, isExempt }, seen);
}

function conversionIssues(checked: CheckedExpr, expr: Expr): readonly Issue[] {
  if (expr.type !== "Call") return [];
  const { name, args } = expr;
  const literal = args.find((arg) => arg.type === "Literal");
  if (literal === undefined || args[0] !== literal) return [];
  const invalid = [{ position: literal.position, message: `invalid ${name} argument` }];
  if (name === "matches") return typeof literal.value === "string" && isError(compilePattern(literal.value)) ? invalid : [];
  if (name !== "duration" && name !== "timestamp") return [];
  const reference = checked.referenceOf(expr);
  const [overload] = reference?.type === "Function" ? reference.overloads : [];
  return overload !== undefined && isError(overload.call(literal.value)) ? invalid : [];
}

/** The items of a literal must be of one type, even where the checker has found a common one. */
function mixedIssues(checked: CheckedExpr, expr: Expr): readonly Issue[] {
  const typeOf = ({ value, optional }: ItemExpr): Type => {
    const type = checked.typeOf(value);
    return optional ? (unwrapOptional(type) ?? type) : type;
  };
  if (expr.type === "List")
    return mixed(
      expr.items.map((item) => [item.value, typeOf(item)]),
      1,
    );
  if (expr.type !== "Map") return [];
  const keys = mixed(
    expr.entries.map(({ key }) => [key, checked.typeOf(key)]),
    Infinity,
  );
  return [
    ...keys,
    ...mixed(
      expr.entries.map((entry) => [entry.value, typeOf(entry)]),
      Infinity,
    ),
  ];
}

function mixed(typed: readonly (readonly [Expr, Type])[], most: number): readonly Issue[] {
  const [, first] = typed[0] ?? [];
  if (first === undefined) return [];
  return typed
    .filter(([, type]) => !sameType(first, type, "alike"))
    .slice(0, most)
    .map(([{ position }, type]) => ({ position, message: `expected type '${formatType(first)}' but found '${formatType(type)}'` }));
}

/** A format that is known is checked against the types of its arguments. */
function formatIssues(checked: CheckedExpr, expr: Expr): readonly Issue[] {
  if (expr.type !== "Call" || expr.name !== "format" || expr.target?.type !== "Literal" || typeof expr.target.value !== "string") return [];
  const [list] = expr.args;
  if (list?.type !== "List") return [];
  let index = 0;
  for (const part of readFormat(expr.target.value)) {
    if (typeof part === "string") continue;
    const item = list.items[index]?.value;
    const endsHere = isError(part) && part.message === "unexpected end of string";
    if (item === undefined && !endsHere) return [{ position: expr.position, message: `index ${index} out of range` }];
    if (isError(part) || item === undefined) return [{ position: expr.position, message: isError(part) ? part.message : "" }];
    const wrong = wrongPart(checked, part, item);
    if (wrong !== undefined) {
      const { message } = clauseError(part.verb, checked.typeOf(wrong).name);
      return [{ position: wrong.position, message: `error during formatting: ${message}` }];
    }
    index++;
  }
  if (list.items.length <= index) return [];
  return [
    { position: expr.position, message: `too many arguments supplied to string.format (expected ${index}, got ${list.items.length})` },
  ];
}

const printable: readonly TypeKind[] = [
  "list",
  "map",
  "int",
  "uint",
  "double",
  "bool",
  "string",
  "timestamp",
  "bytes",
  "duration",
  "type",
  "null",
];

const clauseTypes: Readonly<Record<Clause["verb"], readonly TypeKind[]>> = {
  s: printable,
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

/** The argument, or the part of it, that cannot be written by a clause; undefined if all can. */
function wrongPart(checked: CheckedExpr, { verb }: Clause, expr: Expr): Expr | undefined {
  const { kind } = checked.typeOf(expr);
  if (kind !== "dyn" && !clauseTypes[verb].includes(kind)) return expr;
  if (verb !== "s" || (expr.type !== "List" && expr.type !== "Map")) return undefined;
  for (const part of partsOf(expr)) {
    const wrong = wrongPart(checked, { verb, precision: undefined }, part);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
