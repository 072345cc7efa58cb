import type { Value } from "../value/value.ts";

/** An expression. Macros are expanded in it: what is left are literals, names, fields, calls and comprehensions. */
export type Expr = LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | ComprehensionExpr;

interface Node {
  /** Where errors about it are reported, in code points. */
  readonly position: number;
}

export interface LiteralExpr extends Node {
  readonly type: "Literal";
  readonly value: Value;
}

export interface IdentExpr extends Node {
  readonly type: "Ident";
  /** With a dot in front when the source has one. */
  readonly name: string;
}

export interface SelectExpr extends Node {
  readonly type: "Select";
  readonly operand: Expr;
  readonly field: string;
  /** Whether just the presence of the field is asked for, as `has(a.b)` does. */
  readonly testOnly: boolean;
}

export interface CallExpr extends Node {
  readonly type: "Call";
  readonly name: string;
  /** What it is called on, if on anything. */
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly type: "List";
  readonly items: readonly ItemExpr[];
}

export interface ItemExpr {
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly type: "Map";
  readonly entries: readonly EntryExpr[];
}

export interface EntryExpr extends ItemExpr {
  readonly key: Expr;
}

/** The construction of an object of a named type. */
export interface StructExpr extends Node {
  readonly type: "Struct";
  readonly name: string;
  readonly fields: readonly FieldExpr[];
}

export interface FieldExpr extends ItemExpr, Node {
  readonly name: string;
}

/** A loop over a list or map that accumulates a result. */
export interface ComprehensionExpr extends Node {
  readonly type: "Comprehension";
  readonly range: Expr;
  readonly variable: string;
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
  /** What it was made from, so that it can be evaluated without interpreting the parts. */
  readonly loop: Loop;
}

/** A comprehension in the terms of its macro. */
export type Loop =
  | { readonly type: "All" | "Exists" | "ExistsOne"; readonly predicate: Expr }
  | { readonly type: "Collect"; readonly filter: Expr | undefined; readonly item: Expr }
  | { readonly type: "CollectMap"; readonly filter: Expr | undefined; readonly key: Expr; readonly value: Expr }
  | { readonly type: "CollectEntries"; readonly filter: Expr | undefined; readonly entries: Expr }
  | { readonly type: "Bind" };

/** The name of an identifier or of a chain of fields, such as `a.b.c`; undefined for anything else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.type === "Ident") return expr.name;
  if (expr.type !== "Select" || expr.testOnly) return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

/** The expressions of which an expression consists. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.type) {
    case "Select":
      return [expr.operand];
    case "Call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "List":
      return expr.items.map(({ value }) => value);
    case "Map":
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case "Struct":
      return expr.fields.map(({ value }) => value);
    case "Comprehension":
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    case "Literal":
    case "Ident":
      return [];
    default:
      return expr satisfies never;
  }
}
