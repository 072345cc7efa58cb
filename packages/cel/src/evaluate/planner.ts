import { variablesOf } from "./variables.ts";
import type { CheckedExpr } from "../check/checker.ts";
import { ExprWalk } from "../syntax/expr-walk.ts";
import type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  IdentExpr,
  ListExpr,
  LiteralExpr,
  MapExpr,
  SelectExpr,
  StructExpr,
} from "../syntax/expr.ts";
import { makePatchPart } from "../library/patch.ts";
import { goText } from "../value/go-text.ts";
import { listOf } from "../value/list-value.ts";
import { mapOf } from "../value/map-value.ts";
import { ErrorValue, Optional, TypeValue, isError, isMap, typeNameOf } from "../value/value.ts";
import type { Value } from "../value/value.ts";
import { planIndex, planOptionalIndex, planPresence, planSelect, planVariable } from "./attribute.ts";
import { planCall, planConversion, planEquality, planMembership, planOptionalOr } from "./call.ts";
import type { FunctionReference } from "./call.ts";
import type { Frame } from "./frame.ts";
import { planAnd, planConditional, planOr } from "./logic.ts";
import { planAll, planBind, planCollect, planCollectMap, planExists, planExistsOne } from "./loop.ts";
import type { LoopRange } from "./loop.ts";
import { InvalidConstant, constantPlan, isConstant } from "./plan.ts";
import type { Plan, Run } from "./plan.ts";

/** A checked expression, made into functions. */
export interface PlannedExpr {
  readonly run: Run;
  /** The variables that are used, in the order of their slots. */
  readonly variables: readonly string[];
  /** How many slots there are, with those of loops. */
  readonly slots: number;
}

/** Makes an expression into functions that evaluate it. Throws an `InvalidConstant` for a constant that cannot be converted. */
export function plan(checked: CheckedExpr): PlannedExpr {
  const names = new Map<string, number>();
  for (const name of variablesOf(checked)) names.set(name, names.size);
  const planner = new Planner(checked, names);
  const { run } = planner.of(checked.expr);
  return { run, variables: [...names.keys()], slots: planner.slots };
}

class Planner extends ExprWalk<Plan> {
  slots: number;
  readonly #checked: CheckedExpr;
  #names: ReadonlyMap<string, number>;

  constructor(checked: CheckedExpr, variables: ReadonlyMap<string, number>) {
    super();
    this.#checked = checked;
    this.#names = variables;
    this.slots = variables.size;
  }

  protected literal({ value }: LiteralExpr): Plan {
    return constantPlan(value);
  }

  protected ident(expr: IdentExpr): Plan {
    return this.#asName(expr) ?? unsupported(expr.name);
  }

  protected select(expr: SelectExpr): Plan {
    const named = this.#asName(expr);
    if (named !== undefined) return named;
    const operand = this.of(expr.operand);
    return expr.testOnly ? planPresence(operand, expr.field) : planSelect(operand, expr.field);
  }

  protected struct(expr: StructExpr): Plan {
    const { name } = this.#checked.typeOf(expr);
    const values = expr.fields.map(({ value }) => this.of(value).run);
    const run: Run = (frame) => {
      frame.charge(40);
      const made = new Map<string, Value>();
      for (const [index, { name: field, optional }] of expr.fields.entries()) {
        const value = values[index]?.(frame) ?? null;
        if (isError(value)) return value;
        if (!optional) made.set(field, value);
        else if (!(value instanceof Optional))
          return new ErrorValue(`cannot initialize optional entry '${field}' from non-optional value ${goText(value)}`);
        else if (value.value !== undefined) made.set(field, value.value);
      }
      return makePatchPart(name, made);
    };
    return { run, isAttribute: false };
  }

  /** The plan of a part that names a variable or type; undefined for any other. */
  #asName(expr: Expr): Plan | undefined {
    const reference = this.#checked.referenceOf(expr);
    return reference?.type === "Ident" ? this.#named(expr, reference.name) : undefined;
  }

  #named(expr: Expr, name: string): Plan {
    const slot = this.#names.get(name);
    const type = this.#checked.typeOf(expr);
    if (slot !== undefined) return planVariable(slot, name);
    return constantPlan(new TypeValue(type.parameters[0]?.name ?? type.name));
  }

  protected call(expr: CallExpr): Plan {
    const found = this.#checked.referenceOf(expr);
    const reference = found?.type === "Function" ? found : undefined;
    const operands = reference?.isMember === true && expr.target !== undefined ? [expr.target, ...expr.args] : expr.args;
    const args = operands.map((operand) => this.of(operand));
    const [first = constantPlan(null), second = constantPlan(null), third = constantPlan(null)] = args;
    const special = specialForms.get(expr.name)?.(first, second, third);
    if (special !== undefined && reference?.isMember !== true) return special;
    if (reference === undefined) return constantPlan(new ErrorValue(`no such overload: ${expr.name}`));
    switch (reference.overloads.map(({ id }) => id).join()) {
      case "optional_or_optional":
        return planOptionalOr("or", first, second);
      case "optional_orValue_value":
        return planOptionalOr("orValue", first, second);
      case "in_list":
        return planMembership(reference, [first, second]);
      case "equals":
      case "not_equals":
        return planEquality(reference, args);
      default:
        return this.#function(expr, reference, args);
    }
  }

  #function(expr: CallExpr, reference: FunctionReference, args: readonly Plan[]): Plan {
    if (!conversions.has(expr.name)) return planCall(reference, args);
    const conversion = planConversion(reference, args);
    if (isError(conversion.constant)) throw new InvalidConstant(conversion.constant.message);
    return conversion;
  }

  protected list({ items }: ListExpr): Plan {
    const plans = items.map(({ value }) => this.of(value));
    const isPlain = items.every(({ optional }) => !optional);
    if (isPlain && plans.every(isConstant)) return constantPlan(listOf(plans.map(({ constant }) => constant)));
    return {
      isAttribute: false,
      run: (frame) => {
        frame.charge(10);
        const values: Value[] = [];
        for (const [index, { run }] of plans.entries()) {
          const value = run(frame);
          if (isError(value)) return value;
          if (items[index]?.optional !== true) values.push(value);
          else if (!(value instanceof Optional))
            return new ErrorValue(`cannot initialize optional list element from non-optional value ${goText(value)}`);
          else if (value.value !== undefined) values.push(value.value);
        }
        return listOf(values);
      },
    };
  }

  protected map({ entries }: MapExpr): Plan {
    const keys = entries.map(({ key }) => this.of(key));
    const values = entries.map(({ value }) => this.of(value));
    const make = (frame: Frame): Value => {
      const made: [Value, Value][] = [];
      for (const [index, { optional }] of entries.entries()) {
        const key = keys[index]?.run(frame) ?? null;
        if (isError(key)) return key;
        const value = values[index]?.run(frame) ?? null;
        if (isError(value)) return value;
        if (!optional) made.push([key, value]);
        else if (!(value instanceof Optional))
          return new ErrorValue(`cannot initialize optional entry '${goText(key)}' from non-optional value ${goText(value)}`);
        else if (value.value !== undefined) made.push([key, value.value]);
      }
      return mapOf(made);
    };
    const isPlain = entries.every(({ optional }) => !optional);
    const constant = isPlain && keys.every(isConstant) && values.every(isConstant) ? mapOf(constantEntries(keys, values)) : undefined;
    if (constant !== undefined && !isError(constant)) return constantPlan(constant);
    const run: Run = (frame) => {
      frame.charge(30);
      return make(frame);
    };
    return { run, isAttribute: false };
  }

  protected comprehension(expr: ComprehensionExpr): Plan {
    const { loop } = expr;
    if (loop.type === "Bind") {
      const value = this.of(expr.init).run;
      const slot = this.slots++;
      return this.#within([[expr.accumulator, slot]], () => planBind(slot, value, this.of(expr.result).run));
    }
    const range: LoopRange = {
      range: this.of(expr.range).run,
      slot: this.slots++,
      secondSlot: expr.secondVariable === undefined ? undefined : this.slots++,
    };
    const names: [string, number][] = [[expr.variable, range.slot]];
    if (expr.secondVariable !== undefined && range.secondSlot !== undefined) names.push([expr.secondVariable, range.secondSlot]);
    return this.#within(names, () => this.#loop(loop, range));
  }

  #loop(loop: ComprehensionExpr["loop"], range: LoopRange): Plan {
    const runOf = (part: Expr): Run => this.of(part).run;
    switch (loop.type) {
      case "All":
        return planAll(range, runOf(loop.predicate));
      case "Exists":
        return planExists(range, runOf(loop.predicate));
      case "ExistsOne":
        return planExistsOne(range, runOf(loop.predicate));
      case "Collect":
        return planCollect(range, loop.filter && runOf(loop.filter), this.of(loop.item));
      case "CollectMap": {
        const [key, value] = [runOf(loop.key), runOf(loop.value)];
        return planCollectMap(range, loop.filter && runOf(loop.filter), (frame) => entry(key(frame), value(frame)));
      }
      case "CollectEntries": {
        const entries = runOf(loop.entries);
        return planCollectMap(range, loop.filter && runOf(loop.filter), (frame) => entriesOf(entries(frame)));
      }
      case "Bind":
        return constantPlan(null);
      default:
        return loop satisfies never;
    }
  }

  #within(names: readonly (readonly [string, number])[], make: () => Plan): Plan {
    const outer = this.#names;
    this.#names = new Map([...outer, ...names]);
    const made = make();
    this.#names = outer;
    return made;
  }
}

/** The functions that the planner evaluates itself. */
const specialForms: ReadonlyMap<string, (first: Plan, second: Plan, third: Plan) => Plan> = new Map([
  ["_&&_", planAnd],
  ["_||_", planOr],
  ["_?_:_", planConditional],
  ["_[_]", planIndex],
  ["_?._", planOptionalIndex],
  ["_[?_]", planOptionalIndex],
]);

const conversions: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

function constantEntries(keys: readonly Plan[], values: readonly Plan[]): [Value, Value][] {
  return keys.map(({ constant = null }, index) => [constant, values[index]?.constant ?? null]);
}

function entry(key: Value, value: Value): readonly (readonly [Value, Value])[] | ErrorValue {
  if (isError(key)) return key;
  return isError(value) ? value : [[key, value]];
}

function entriesOf(map: Value): readonly (readonly [Value, Value])[] | ErrorValue {
  if (isError(map)) return map;
  if (!isMap(map)) return new ErrorValue(`no such overload: cel.@mapInsert(map, ${typeNameOf(map)})`);
  return map.keys().map((key) => [key, map.find(key) ?? null] as const);
}

function unsupported(name: string): Plan {
  return constantPlan(new ErrorValue(`unsupported expr: ${name}`));
}
