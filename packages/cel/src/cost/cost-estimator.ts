import type { CheckedExpr } from "../check/checker.ts";
import type { Overload } from "../check/declaration.ts";
import type { Type } from "../check/type.ts";
import { unwrapOptional } from "../check/type.ts";
import { ExprWalk } from "../syntax/expr-walk.ts";
import type { CallExpr, ComprehensionExpr, Expr, IdentExpr, ListExpr, MapExpr, SelectExpr, StructExpr } from "../syntax/expr.ts";
import { kindOf } from "../value/value.ts";
import { codePointCount } from "../value/text.ts";
import type { CallEstimate, EstimatedCall, Operand } from "./call-estimate.ts";
import type { EntrySizes } from "./entry-sizes.ts";
import { Estimate, mostAmount, unknown } from "./estimate.ts";
import { LanguageEstimator } from "./language-estimate.ts";
import type { SchemaSizes } from "./schema-sizes.ts";

/** The most that an expression can cost, as cel-go estimates it, when the variables are of a schema. */
export function estimateCost(checked: CheckedExpr, sizes: SchemaSizes): number {
  return new CostEstimator(checked, sizes).of(checked.expr).max;
}

/** What is known of a name of a loop. */
interface LocalVariable {
  readonly path: readonly string[] | undefined;
  readonly size: Estimate | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Finds what each part of an expression costs, and how large it is, inner parts first. */
class CostEstimator extends ExprWalk<Estimate> {
  readonly #checked: CheckedExpr;
  readonly #sizes: SchemaSizes;
  readonly #language: LanguageEstimator;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #computed = new Map<Expr, Estimate>();
  readonly #entries = new Map<Expr, EntrySizes>();
  #locals: ReadonlyMap<string, LocalVariable> = new Map();

  constructor(checked: CheckedExpr, sizes: SchemaSizes) {
    super();
    this.#checked = checked;
    this.#sizes = sizes;
    this.#language = new LanguageEstimator(this);
  }

  protected literal(): Estimate {
    return Estimate.zero;
  }

  protected ident(expr: IdentExpr): Estimate {
    return this.#named(expr, expr.name);
  }

  protected struct({ fields }: StructExpr): Estimate {
    return fields.reduce((sum, { value }) => sum.plus(this.of(value)), Estimate.of(40));
  }

  /** How large a part is; undefined when it is not known. */
  size(expr: Expr): Estimate | undefined {
    return (
      this.#computed.get(expr) ??
      literalSize(expr) ??
      this.#sizeAt(this.#pathOf(expr)) ??
      (isScalar(this.#checked.typeOf(expr)) ? Estimate.one : undefined) ??
      (expr.type === "Ident" ? this.#locals.get(expr.name)?.size : undefined)
    );
  }

  /** How large the keys and values of a part are; undefined when it is not known. */
  entries(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr) ?? (expr.type === "Ident" ? this.#locals.get(expr.name)?.entries : undefined);
  }

  setEntries(expr: Expr, entries: EntrySizes | undefined): void {
    if (entries !== undefined) this.#entries.set(expr, entries);
  }

  #named(expr: Expr, name: string): Estimate {
    const path = this.#locals.has(name) ? this.#locals.get(name)?.path : [name];
    if (path !== undefined) this.#paths.set(expr, path);
    return Estimate.one;
  }

  protected select(expr: SelectExpr): Estimate {
    const reference = this.#checked.referenceOf(expr);
    if (reference?.type === "Ident") return this.#named(expr, reference.name);
    const operand = this.of(expr.operand);
    if (expr.testOnly) return operand;
    this.#paths.set(expr, [...(this.#pathOf(expr.operand) ?? []), expr.field]);
    const { kind } = this.#checked.typeOf(expr.operand);
    return kind === "map" || kind === "struct" ? operand.plus(Estimate.one) : operand;
  }

  protected call(expr: CallExpr): Estimate {
    const { name, args } = expr;
    if (name === "dyn" && args[0] !== undefined) {
      const cost = this.of(args[0]);
      this.#copySizes(expr, args[0]);
      return cost.plus(Estimate.one);
    }
    const costs = args.map((arg) => this.of(arg));
    const reference = this.#checked.referenceOf(expr);
    if (reference?.type !== "Function") return Estimate.zero;
    const isMember = reference.isMember && expr.target !== undefined;
    const targetCost = isMember && expr.target !== undefined ? this.of(expr.target) : Estimate.zero;
    const operands = args.map((arg) => this.#operand(arg));
    const target = isMember && expr.target !== undefined ? this.#operand(expr.target) : undefined;
    let total: Estimate | undefined;
    let size: Estimate | undefined;
    for (const overload of reference.overloads) {
      const call: EstimatedCall = { name: reference.declaration.name, overload: overload.id, target, args: operands };
      const estimate = this.#language.estimate(expr, call, costs);
      total = total?.union(estimate.cost) ?? estimate.cost;
      size = this.#resultSize(expr, overload, estimate, size);
    }
    if (size !== undefined) this.#computed.set(expr, size);
    return targetCost.plus(total ?? Estimate.zero);
  }

  #resultSize(expr: CallExpr, { id }: Overload, { size }: CallEstimate, before: Estimate | undefined): Estimate | undefined {
    const both = size === undefined ? before : (before?.union(size) ?? size);
    const [container] = expr.args;
    if (container === undefined || (id !== "index_list" && id !== "index_map")) return both ?? this.size(expr);
    this.#paths.set(expr, [...(this.#pathOf(container) ?? []), id === "index_list" ? "@items" : "@values"]);
    return this.entries(container)?.values ?? this.size(expr);
  }

  #operand(expr: Expr): Operand {
    const path = this.#pathOf(expr);
    const isAccumulator = path?.[0] === "__result__";
    const itemSize = path === undefined || isAccumulator ? undefined : this.#sizeAt([...path, "@items"]);
    return { expr, type: this.#checked.typeOf(expr), size: this.size(expr), itemSize };
  }

  protected list(expr: ListExpr): Estimate {
    const costs = expr.items.map(({ value }) => this.of(value));
    const values = coverOf(expr.items.map(({ value }) => this.size(value) ?? unknown));
    this.#entries.set(expr, { container: "list", keys: Estimate.one, values });
    return costs.reduce((sum, cost) => sum.plus(cost), Estimate.of(10));
  }

  protected map(expr: MapExpr): Estimate {
    const costs = expr.entries.map(({ key, value }) => this.of(key).plus(this.of(value)));
    const sizes = (part: "key" | "value"): Estimate => coverOf(expr.entries.map((entry) => this.size(entry[part]) ?? unknown));
    this.#entries.set(expr, { container: "map", keys: sizes("key"), values: sizes("value") });
    return costs.reduce((sum, cost) => sum.plus(cost), Estimate.of(30));
  }

  protected comprehension(expr: ComprehensionExpr): Estimate {
    return expr.loop.type === "Bind" ? this.#bind(expr) : this.#loop(expr);
  }

  #loop(expr: ComprehensionExpr): Estimate {
    const { range, init, accumulator, condition, step, result } = expr;
    const before = this.of(range).plus(this.of(init));
    const outer = this.#locals;
    const withAccumulator = new Map([...outer, [accumulator, this.#local(init)] as const]);
    this.#locals = new Map([...withAccumulator, ...this.#loopVariables(expr)]);
    const each = this.of(condition).plus(this.of(step));
    const stepEntries = this.entries(step);
    this.#locals = withAccumulator;
    const after = this.of(result);
    this.#locals = outer;
    const count = this.size(range) ?? unknown;
    const initSize = this.size(init);
    if (init.type === "Literal" && initSize !== undefined) this.#computed.set(expr, initSize);
    if (init.type === "List" || init.type === "Map") {
      this.#computed.set(expr, count);
      this.setEntries(expr, stepEntries);
    }
    return before.plus(after).plus(count.times(each));
  }

  #bind(expr: ComprehensionExpr): Estimate {
    const before = this.of(expr.range).plus(this.of(expr.init));
    const outer = this.#locals;
    this.#locals = new Map([...outer, [expr.accumulator, this.#local(expr.init)]]);
    const cost = before.plus(this.of(expr.result));
    const [size, entries] = [this.size(expr.result), this.entries(expr.result)];
    this.#locals = outer;
    if (size !== undefined) this.#computed.set(expr, size);
    this.setEntries(expr, entries);
    return cost;
  }

  #local(expr: Expr): LocalVariable {
    return { path: this.#pathOf(expr), size: this.size(expr), entries: this.entries(expr) };
  }

  #loopVariables({ range, variable, secondVariable }: ComprehensionExpr): readonly (readonly [string, LocalVariable])[] {
    const entries = this.entries(range);
    const isList = (entries?.container ?? this.#checked.typeOf(range).kind) === "list";
    const path = this.#pathOf(range) ?? [];
    const local = (part: string, size: Estimate | undefined): LocalVariable => ({ path: [...path, part], size, entries: undefined });
    const values = local(isList ? "@items" : "@values", entries?.values);
    if (secondVariable === undefined) return [[variable, isList ? values : local("@keys", entries?.keys)]];
    return [
      [variable, local(isList ? "@indices" : "@keys", entries?.keys)],
      [secondVariable, values],
    ];
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.size(from);
    if (size !== undefined) this.#computed.set(to, size);
    this.setEntries(to, this.entries(from));
  }

  #pathOf(expr: Expr): readonly string[] | undefined {
    const local = expr.type === "Ident" ? this.#locals.get(expr.name) : undefined;
    return local === undefined ? this.#paths.get(expr) : local.path;
  }

  /** What the schema says of the value that a path leads to, from any variable. */
  #sizeAt(path: readonly string[] | undefined): Estimate | undefined {
    if (path === undefined || path.length === 0) return undefined;
    let sizes: SchemaSizes | undefined = this.#sizes;
    for (const name of path.slice(1)) {
      if (name === "@items" || name === "@values") sizes = sizes?.elements;
      else sizes = name === "@keys" ? sizes?.keys : sizes?.fields?.get(name);
    }
    return sizes === undefined ? undefined : new Estimate(0, sizes.mostElements);
  }
}

function coverOf(sizes: readonly Estimate[]): Estimate {
  if (sizes.length === 0) return Estimate.zero;
  return sizes.reduce((cover, size) => cover.union(size), new Estimate(mostAmount, 0));
}

function literalSize(expr: Expr): Estimate | undefined {
  if (expr.type === "List") return Estimate.of(expr.items.length);
  if (expr.type === "Map") return Estimate.of(expr.entries.length);
  if (expr.type !== "Literal") return undefined;
  if (typeof expr.value === "string") return Estimate.of(codePointCount(expr.value));
  return Estimate.of(kindOf(expr.value) === "bytes" ? (expr.value as Uint8Array).length : 1);
}

function isScalar(type: Type): boolean {
  const optional = unwrapOptional(type);
  return optional === undefined ? scalars.has(type.kind) : isScalar(optional);
}

const scalars: ReadonlySet<string> = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);
