import type { CallExpr, ComprehensionExpr, Expr, Loop } from "./expr.ts";
import type { Issue } from "./source.ts";

/** The call that a macro stands for. */
export interface MacroCall {
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
  readonly position: number;
}

/** What a call is when it is a macro; an issue when its arguments are not what the macro needs; undefined when it is no macro. */
export function expandMacro(call: MacroCall): Expr | Issue | undefined {
  const form = `${call.target === undefined ? "" : "."}${call.name}/${call.args.length}`;
  return macros.get(form)?.(new MacroBuilder(call));
}

export function isIssue(result: Expr | Issue): result is Issue {
  return "message" in result;
}

const accumulatorName = "__result__";

type Expander = (macro: MacroBuilder) => Expr | Issue;

type CollectingLoop = Extract<Loop, { readonly filter: Expr | undefined }>;

const macros: ReadonlyMap<string, Expander> = new Map<string, Expander>([
  ["has/1", (macro) => macro.presence()],
  [".all/2", (macro) => macro.quantifier("All", 1)],
  [".all/3", (macro) => macro.quantifier("All", 2)],
  [".exists/2", (macro) => macro.quantifier("Exists", 1)],
  [".exists/3", (macro) => macro.quantifier("Exists", 2)],
  [".exists_one/2", (macro) => macro.quantifier("ExistsOne", 1)],
  [".exists_one/3", (macro) => macro.quantifier("ExistsOne", 2)],
  [".existsOne/3", (macro) => macro.quantifier("ExistsOne", 2)],
  [".map/2", (macro) => macro.collect(1)],
  [".map/3", (macro) => macro.collect(1)],
  [".filter/2", (macro) => macro.filter()],
  [".transformList/3", (macro) => macro.collect(2)],
  [".transformList/4", (macro) => macro.collect(2)],
  [".transformMap/3", (macro) => macro.collectMap()],
  [".transformMap/4", (macro) => macro.collectMap()],
  [".transformMapEntry/3", (macro) => macro.collectEntries()],
  [".transformMapEntry/4", (macro) => macro.collectEntries()],
  [".optMap/2", (macro) => macro.optionalMap("optMap")],
  [".optFlatMap/2", (macro) => macro.optionalMap("optFlatMap")],
  [".sortBy/2", (macro) => macro.sortBy()],
]);

/** Makes the expressions of which an expansion consists, all at the position of the call. */
class MacroBuilder {
  readonly #call: MacroCall;

  constructor(call: MacroCall) {
    this.#call = call;
  }

  presence(): Expr | Issue {
    const operand = this.#arg(0);
    if (operand.type !== "Select" || operand.testOnly) return { position: operand.position, message: "invalid argument to has() macro" };
    return { ...operand, testOnly: true, position: this.#call.position };
  }

  quantifier(type: "All" | "Exists" | "ExistsOne", variables: 1 | 2): Expr | Issue {
    const names = this.#variables(variables, "argument must be a simple name");
    if (isProblem(names)) return names;
    const predicate = this.#arg(variables);
    const accumulator = this.#accumulator;
    const isNotFalse = (value: Expr): Expr => this.#callOf("@not_strictly_false", value);
    const shapes = {
      All: { init: true, condition: isNotFalse(accumulator), step: this.#callOf("_&&_", accumulator, predicate), result: accumulator },
      Exists: {
        init: false,
        condition: isNotFalse(this.#callOf("!_", accumulator)),
        step: this.#callOf("_||_", accumulator, predicate),
        result: accumulator,
      },
      ExistsOne: {
        init: 0,
        condition: this.#literal(true),
        step: this.#callOf("_?_:_", predicate, this.#callOf("_+_", accumulator, this.#literal(1)), accumulator),
        result: this.#callOf("_==_", accumulator, this.#literal(1)),
      },
    };
    const { init, ...shape } = shapes[type];
    return this.#comprehension(names, { ...shape, init: this.#literal(init), loop: { type, predicate } });
  }

  collect(variables: 1 | 2): Expr | Issue {
    const names = this.#variables(variables, variables === 1 ? "argument is not an identifier" : "argument must be a simple name");
    if (isProblem(names)) return names;
    const { filter, result: item } = this.#filtered(variables);
    return this.#collectList(names, filter, item);
  }

  filter(): Expr | Issue {
    const names = this.#variables(1, "argument is not an identifier");
    return isProblem(names) ? names : this.#collectList(names, this.#arg(1), this.#arg(0));
  }

  collectMap(): Expr | Issue {
    const names = this.#variables(2, "argument must be a simple name");
    if (isProblem(names)) return names;
    const { filter, result: value } = this.#filtered(2);
    const key = this.#ident(names[0] ?? "");
    const step = this.#callOf("cel.@mapInsert", this.#accumulator, key, value);
    return this.#collectInto(this.#emptyMap(), names, step, { type: "CollectMap", filter, key, value });
  }

  collectEntries(): Expr | Issue {
    const names = this.#variables(2, "argument must be a simple name");
    if (isProblem(names)) return names;
    const { filter, result: entries } = this.#filtered(2);
    const step = this.#callOf("cel.@mapInsert", this.#accumulator, entries);
    return this.#collectInto(this.#emptyMap(), names, step, { type: "CollectEntries", filter, entries });
  }

  /** `x.optMap(v, e)`: e with v being the value of x, if it has one. */
  optionalMap(macro: "optMap" | "optFlatMap"): Expr | Issue {
    const variable = this.#arg(0);
    if (variable.type !== "Ident") return { position: variable.position, message: `${macro}() variable name must be a simple identifier` };
    const { target = this.#literal(null) } = this.#call;
    const bound = this.#bind(variable.name, this.#memberCall("value", target), this.#arg(1));
    const result = macro === "optMap" ? this.#callOf("optional.of", bound) : bound;
    return this.#callOf("_?_:_", this.#memberCall("hasValue", target), result, this.#callOf("optional.none"));
  }

  /** `x.sortBy(v, e)`: the items of x by what e is for each. */
  sortBy(): Expr | Issue {
    const { target = this.#literal(null) } = this.#call;
    if (target.type === "Literal" || target.type === "Map" || target.type === "Struct") {
      const message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
      return { position: target.position, message };
    }
    const names = this.#variables(1, "argument is not an identifier");
    if (isProblem(names)) return names;
    const input = this.#ident("@__sortBy_input__");
    const keys = this.#collectList(names, undefined, this.#arg(1), input);
    return this.#bind(input.name, target, this.#memberCall("@sortByAssociatedKeys", input, keys));
  }

  #variables(count: 1 | 2, problem: string): readonly string[] | Issue {
    const names: string[] = [];
    for (const variable of this.#call.args.slice(0, count)) {
      if (variable.type !== "Ident") return { position: variable.position, message: problem };
      names.push(variable.name);
    }
    const second = this.#arg(count - 1).position;
    if (count === 2 && names[0] === names[1]) return { position: second, message: `duplicate variable name: ${names[0]}` };
    const reserved = names.indexOf(accumulatorName);
    if (reserved < 0) return names;
    return { position: this.#arg(reserved).position, message: "iteration variable overwrites accumulator variable" };
  }

  #filtered(variables: 1 | 2): { readonly filter: Expr | undefined; readonly result: Expr } {
    const hasFilter = this.#call.args.length === variables + 2;
    return { filter: hasFilter ? this.#arg(variables) : undefined, result: this.#arg(hasFilter ? variables + 1 : variables) };
  }

  #collectList(names: readonly string[], filter: Expr | undefined, item: Expr, range?: Expr): Expr {
    const one: Expr = { type: "List", items: [{ value: item, optional: false }], position: this.#call.position };
    const step = this.#callOf("_+_", this.#accumulator, one);
    const none: Expr = { type: "List", items: [], position: this.#call.position };
    return this.#collectInto(none, names, step, { type: "Collect", filter, item }, range);
  }

  #collectInto(init: Expr, names: readonly string[], added: Expr, loop: CollectingLoop, range?: Expr): Expr {
    const step = loop.filter === undefined ? added : this.#callOf("_?_:_", loop.filter, added, this.#accumulator);
    return this.#comprehension(names, { init, condition: this.#literal(true), step, result: this.#accumulator, loop }, range);
  }

  #comprehension(
    [variable = "", secondVariable]: readonly string[],
    parts: Pick<ComprehensionExpr, "init" | "condition" | "step" | "result" | "loop">,
    range: Expr = this.#call.target ?? this.#literal(null),
  ): Expr {
    const { position } = this.#call;
    return { type: "Comprehension", range, variable, secondVariable, accumulator: accumulatorName, position, ...parts };
  }

  /** The result with a name for a value in it: a loop over nothing. */
  #bind(name: string, value: Expr, result: Expr): Expr {
    const { position } = this.#call;
    return {
      type: "Comprehension",
      range: { type: "List", items: [], position },
      variable: "#unused",
      secondVariable: undefined,
      accumulator: name,
      init: value,
      condition: this.#literal(false),
      step: this.#ident(name),
      result,
      position,
      loop: { type: "Bind" },
    };
  }

  get #accumulator(): Expr {
    return this.#ident(accumulatorName);
  }

  #arg(index: number): Expr {
    return this.#call.args[index] ?? this.#literal(null);
  }

  #ident(name: string): Expr & { readonly name: string } {
    return { type: "Ident", name, position: this.#call.position };
  }

  #literal(value: boolean | number | null): Expr {
    return { type: "Literal", value, position: this.#call.position };
  }

  #emptyMap(): Expr {
    return { type: "Map", entries: [], position: this.#call.position };
  }

  #callOf(name: string, ...args: readonly Expr[]): CallExpr {
    return { type: "Call", name, target: undefined, args, position: this.#call.position };
  }

  #memberCall(name: string, target: Expr, ...args: readonly Expr[]): CallExpr {
    return { type: "Call", name, target, args, position: this.#call.position };
  }
}

/** Whether it is an issue and not the names of variables. */
function isProblem(names: readonly string[] | Issue): names is Issue {
  return !Array.isArray(names);
}
