import { ExprWalk } from "../syntax/expr-walk.ts";
import { qualifiedName } from "../syntax/expr.ts";
import type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  FieldExpr,
  IdentExpr,
  ItemExpr,
  ListExpr,
  LiteralExpr,
  MapExpr,
  SelectExpr,
  StructExpr,
} from "../syntax/expr.ts";
import type { Issue } from "../syntax/source.ts";
import { kindOf } from "../value/value.ts";
import type { FunctionDeclaration, FunctionTable, Overload } from "./declaration.ts";
import type { Scope } from "./scope.ts";
import { TypeMapping, mostGeneral } from "./type-mapping.ts";
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  fieldType,
  formatArguments,
  formatType,
  intType,
  isDyn,
  isDynOrError,
  listType,
  mapType,
  nullType,
  optionalType,
  sameType,
  stringType,
  typeParam,
  uintType,
  unwrapOptional,
} from "./type.ts";
import type { Type } from "./type.ts";

/** What the names and calls of an expression refer to. */
export type Reference =
  | { readonly type: "Ident"; readonly name: string }
  | {
      readonly type: "Function";
      readonly declaration: FunctionDeclaration;
      readonly overloads: readonly Overload[];
      readonly isMember: boolean;
    };

/** An expression of which the types are known. */
export interface CheckedExpr {
  readonly expr: Expr;
  readonly typeOf: (expr: Expr) => Type;
  readonly referenceOf: (expr: Expr) => Reference | undefined;
}

/** Finds the types of an expression and of all its parts. */
export function check(
  expr: Expr,
  scope: Scope,
  functions: FunctionTable,
): { readonly checked: CheckedExpr; readonly issues: readonly Issue[] } {
  const checker = new Checker(scope, functions);
  checker.of(expr);
  return { checked: checker.result(expr), issues: checker.issues };
}

/** Finds the type of each part, and what is wrong with it. */
class Checker extends ExprWalk<Type> {
  readonly issues: Issue[] = [];
  readonly #functions: FunctionTable;
  readonly #references = new Map<Expr, Reference>();
  readonly #mapping = new TypeMapping();
  #scope: Scope;
  #typeVariables = 0;

  constructor(scope: Scope, functions: FunctionTable) {
    super();
    this.#scope = scope;
    this.#functions = functions;
  }

  result(expr: Expr): CheckedExpr {
    return {
      expr,
      typeOf: (part) => this.#mapping.substitute(this.#typeOf(part), "dyn"),
      referenceOf: (part) => this.#references.get(part),
    };
  }

  protected literal({ value }: LiteralExpr): Type {
    return literalTypes[kindOf(value)] ?? dynType;
  }

  protected ident(expr: IdentExpr): Type {
    return this.#named(expr, expr.name) ?? this.#undeclared(expr, expr.name);
  }

  #named(expr: Expr, name: string): Type | undefined {
    const found = this.#scope.lookup(name);
    if (found !== undefined) this.#references.set(expr, { type: "Ident", name: found.name });
    return found?.type;
  }

  protected select(expr: SelectExpr): Type {
    const name = qualifiedName(expr);
    const asName = name === undefined ? undefined : this.#named(expr, name);
    if (asName !== undefined) return asName;
    const type = this.#field(expr, expr.operand, expr.field, "plain");
    return expr.testOnly ? boolType : this.#mapping.substitute(type, "kept");
  }

  #field(expr: Expr, operand: Expr, field: string, form: "plain" | "optional"): Type {
    this.of(operand);
    const operandType = this.#mapping.substitute(this.#typeOf(operand), "kept");
    const inner = unwrapOptional(operandType);
    const type = this.#fieldType(expr, inner ?? operandType, field);
    return inner !== undefined || form === "optional" ? optionalType(type) : type;
  }

  #fieldType(expr: Expr, target: Type, field: string): Type {
    switch (target.kind) {
      case "map":
        return target.parameters[1] ?? dynType;
      case "struct":
        if (target.fields === undefined) return this.#report(expr, `unexpected failed resolution of '${target.name}'`);
        return fieldType(target, field) ?? this.#report(expr, `undefined field '${field}'`);
      case "typeParam":
        this.#mapping.assign(dynType, target);
        return dynType;
      default:
        if (!isDynOrError(target)) this.#report(expr, `type '${formatType(target)}' does not support field selection`);
        return dynType;
    }
  }

  protected call(expr: CallExpr): Type {
    const { name, target, args } = expr;
    if (name === "_?._") return this.#optionalField(expr);
    for (const arg of args) this.of(arg);
    if (target === undefined) {
      const declaration = this.#functions.get(name.replace(/^\./, ""));
      return declaration === undefined ? this.#undeclared(expr, name) : this.#resolve(expr, declaration);
    }
    const prefix = qualifiedName(target);
    const namespaced = prefix === undefined ? undefined : this.#functions.get(`${prefix}.${name}`);
    if (namespaced !== undefined) return this.#resolve(expr, namespaced);
    this.of(target);
    const declaration = this.#functions.get(name);
    return declaration === undefined ? this.#undeclared(expr, name) : this.#resolve(expr, declaration, target);
  }

  #optionalField(expr: CallExpr): Type {
    const [operand, field] = expr.args;
    if (operand === undefined || field?.type !== "Literal" || typeof field.value !== "string") return errorType;
    this.settle(field, stringType);
    const declaration = this.#functions.get("_?._");
    if (declaration !== undefined)
      this.#references.set(expr, { type: "Function", declaration, overloads: declaration.overloads, isMember: false });
    return this.#mapping.substitute(this.#field(expr, operand, field.value, "optional"), "kept");
  }

  /** What a function comes to, or one that is called on a target. */
  #resolve(expr: CallExpr, declaration: FunctionDeclaration, target?: Expr): Type {
    const { name } = declaration;
    if (name === "_&&_" || name === "_||_") return this.#logic(expr, declaration);
    const isMember = target !== undefined;
    const types = [...(isMember ? [target] : []), ...expr.args].map((arg) => this.#typeOf(arg));
    const matching: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== isMember || overload.parameters.length !== types.length) continue;
      const signature = this.#instantiate(overload);
      if (!this.#mapping.assignAll(types, signature.parameters)) continue;
      matching.push(overload);
      const type = this.#mapping.substitute(signature.result, "kept");
      if (result === undefined) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = dynType;
    }
    if (result === undefined) {
      const shown = types.map((type) => this.#mapping.substitute(type, "dyn"));
      return this.#report(expr, `found no matching overload for '${name}' applied to '${formatArguments(shown, isMember)}'`);
    }
    this.#references.set(expr, { type: "Function", declaration, overloads: matching, isMember });
    return result;
  }

  /** For each operand that is no bool there is an error of its own. */
  #logic(expr: CallExpr, declaration: FunctionDeclaration): Type {
    let type: Type = boolType;
    for (const arg of expr.args) {
      if (!this.#mapping.assign(this.#typeOf(arg), boolType)) type = this.#mismatch(arg, boolType, this.#typeOf(arg));
    }
    this.#references.set(expr, { type: "Function", declaration, overloads: declaration.overloads, isMember: false });
    return type;
  }

  /** The types of an overload with type parameters of their own for this use. */
  #instantiate({ parameters, result }: Overload): Pick<Overload, "parameters" | "result"> {
    const fresh = new Map<string, Type>();
    const rename = (type: Type): Type => {
      if (type.kind === "typeParam") {
        const known = fresh.get(type.name) ?? this.#typeVariable();
        fresh.set(type.name, known);
        return known;
      }
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(rename) };
    };
    return { parameters: parameters.map(rename), result: rename(result) };
  }

  protected list({ items }: ListExpr): Type {
    let type: Type | undefined;
    for (const item of items) type = this.#join(type, this.#itemType(item));
    return listType(type ?? this.#typeVariable());
  }

  protected map({ entries }: MapExpr): Type {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    for (const entry of entries) {
      this.of(entry.key);
      keyType = this.#join(keyType, this.#typeOf(entry.key));
      valueType = this.#join(valueType, this.#itemType(entry));
    }
    return mapType(keyType ?? this.#typeVariable(), valueType ?? this.#typeVariable());
  }

  #itemType({ value, optional }: ItemExpr): Type {
    this.of(value);
    const type = this.#typeOf(value);
    if (!optional) return type;
    const inner = unwrapOptional(type);
    if (inner === undefined && !isDyn(type)) this.#mismatch(value, optionalType(type), type);
    return inner ?? type;
  }

  /** The common type of two items; that the items of a literal are of one type is checked later. */
  #join(before: Type | undefined, type: Type): Type {
    if (before === undefined) return type;
    return this.#mapping.assign(before, type) ? mostGeneral(before, type) : dynType;
  }

  protected struct(expr: StructExpr): Type {
    const found = this.#scope.lookup(expr.name);
    if (found === undefined) return this.#undeclared(expr, expr.name);
    const [made] = found.type.kind === "type" ? found.type.parameters : [];
    if (made?.kind === "struct") {
      for (const field of expr.fields) this.#madeField(made, field);
      return made;
    }
    for (const { value } of expr.fields) this.of(value);
    return this.#report(expr, made === undefined ? `'${formatType(found.type)}' is not a type` : `'${made.name}' is not a message type`);
  }

  #madeField(made: Type, field: FieldExpr): void {
    const type = this.#itemType(field);
    const expected = fieldType(made, field.name) ?? this.#report(field, `undefined field '${field.name}'`);
    if (this.#mapping.assign(expected, type)) return;
    this.#report(field, `expected type of field '${field.name}' is '${formatType(expected)}' but provided type is '${formatType(type)}'`);
  }

  protected comprehension(expr: ComprehensionExpr): Type {
    const { range, init, condition, step, result, accumulator } = expr;
    this.of(range);
    this.of(init);
    const accumulated = this.#typeOf(init);
    const outer = this.#scope;
    const withAccumulator = outer.with([[accumulator, accumulated]]);
    this.#scope = withAccumulator.with(this.#loopVariables(expr));
    this.of(condition);
    this.#require(condition, boolType);
    this.of(step);
    this.#require(step, accumulated);
    this.#scope = withAccumulator;
    this.of(result);
    this.#scope = outer;
    return this.#mapping.substitute(this.#typeOf(result), "kept");
  }

  #loopVariables({ range, variable, secondVariable }: ComprehensionExpr): readonly (readonly [string, Type])[] {
    const type = this.#mapping.substitute(this.#typeOf(range), "kept");
    const [first, second] = this.#iterated(range, type, secondVariable !== undefined);
    return secondVariable === undefined
      ? [[variable, first]]
      : [
          [variable, first],
          [secondVariable, second],
        ];
  }

  #iterated(range: Expr, type: Type, isPair: boolean): readonly [Type, Type] {
    const [item = dynType, value = dynType] = type.parameters;
    switch (type.kind) {
      case "list":
        return isPair ? [intType, item] : [item, item];
      case "map":
        return [item, value];
      case "dyn":
      case "error":
      case "typeParam":
        this.#mapping.assign(dynType, type);
        return [dynType, dynType];
      default:
        this.#report(range, `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`);
        return [errorType, errorType];
    }
  }

  #require(expr: Expr, type: Type): void {
    if (!this.#mapping.assign(type, this.#typeOf(expr))) this.#mismatch(expr, type, this.#typeOf(expr));
  }

  #typeOf(expr: Expr): Type {
    return this.found(expr) ?? errorType;
  }

  #typeVariable(): Type {
    return typeParam(`_var${this.#typeVariables++}`);
  }

  #undeclared(expr: Expr, name: string): Type {
    return this.#report(expr, `undeclared reference to '${name}' (in container '')`);
  }

  #mismatch(expr: Expr, expected: Type, found: Type): Type {
    return this.#report(expr, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  #report({ position }: Pick<Expr, "position">, message: string): Type {
    this.issues.push({ position, message });
    return errorType;
  }
}

const literalTypes: Readonly<Partial<Record<string, Type>>> = {
  null: nullType,
  bool: boolType,
  int: intType,
  string: stringType,
  bytes: bytesType,
  double: doubleType,
  uint: uintType,
};
