import { Optional, costLimitPerExpression } from "@kaji/cel";
import type { Bindings, Outcome, Program } from "@kaji/cel";
import { quote } from "@kaji/core/go";
import { FieldPath, duplicate, forbiddenField, invalidValue, isJsonArray, isJsonObject, required } from "@kaji/core";
import type { FieldError, JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { Correlation } from "../value/correlation.ts";
import type { RuleNode } from "./rule-node.ts";
import type { RuleProgram } from "./rule-program.ts";
import { RuleRatchet } from "./rule-ratchet.ts";
import type { ValidationRule } from "../schema/structural-schema.ts";

/** What all rules together may cost for one object. */
const costLimitPerObject = 10_000_000;
const longestMessage = 5 * 1024;

/** What rules say about an object. */
export interface RuleResult {
  readonly errors: readonly FieldError[];
  /** What would be an error if it were new. */
  readonly tolerated: readonly FieldError[];
}

/** Evaluates all rules of a schema on an object. */
export function evaluateRules(node: RuleNode, object: JsonObject, old: JsonObject | undefined, ratchet: RuleRatchet): RuleResult {
  const evaluation = new RuleEvaluation();
  evaluation.value(node, FieldPath.root, object, old, ratchet);
  return { errors: evaluation.errors.map(atRoot), tolerated: evaluation.tolerated.map(atRoot) };
}

/** Evaluates all rules of a schema on its default, which is there both as what has been so before and as what is new. */
export function evaluateRulesOnDefault(node: RuleNode, path: FieldPath, value: JsonValue): readonly FieldError[] {
  for (const old of [value, undefined]) {
    const evaluation = new RuleEvaluation();
    evaluation.value(node, path, value, old, RuleRatchet.none);
    if (evaluation.errors.length > 0) return evaluation.errors;
  }
  return [];
}

/** The path to the object itself is written as Go writes what is not there. */
function atRoot(error: FieldError): FieldError {
  return error.field === "" ? { ...error, field: "<nil>" } : error;
}

class RuleEvaluation {
  readonly errors: FieldError[] = [];
  readonly tolerated: FieldError[] = [];
  /** Negative when no more rules are to be evaluated. */
  #budget = costLimitPerObject;

  value(node: RuleNode, path: FieldPath, value: JsonValue, old: JsonValue | undefined, ratchet: RuleRatchet): void {
    if (value === null || this.#budget < 0) return;
    this.#rules(node, path, value, old ?? undefined, ratchet);
    if (isJsonArray(value)) this.#items(node, path, value, isJsonArray(old) ? old : undefined, ratchet);
    else if (isJsonObject(value)) this.#fields(node, path, value, isJsonObject(old) ? old : undefined, ratchet);
  }

  #items({ items, list: node }: RuleNode, path: FieldPath, list: JsonArray, old: JsonArray | undefined, ratchet: RuleRatchet): void {
    if (items === undefined) return;
    const before = old === undefined || node === undefined ? undefined : new Correlation(old, node);
    for (const [index, item] of list.entries()) this.value(items, path.index(index), item, before?.item(item)?.old, ratchet.item(item));
  }

  #fields(
    { additional, properties }: RuleNode,
    path: FieldPath,
    object: JsonObject,
    old: JsonObject | undefined,
    ratchet: RuleRatchet,
  ): void {
    for (const [name, value = null] of Object.entries(object)) {
      const node = additional ?? properties.get(name);
      if (node === undefined) continue;
      const before = old !== undefined && Object.hasOwn(old, name) ? old[name] : undefined;
      const at = additional === undefined ? path.child(name) : path.key(name);
      this.value(node, at, value, before, ratchet.field(name, value));
    }
  }

  #rules({ rules, read, schema }: RuleNode, path: FieldPath, value: JsonValue, old: JsonValue | undefined, ratchet: RuleRatchet): void {
    if (rules.length === 0) return;
    const { type = "" } = schema;
    const self = read(value);
    const oldSelf = old === undefined ? undefined : read(old);
    // What tells of a broken rule sees what was before as it is, though the rule may see it as optional, and not at all where no rule does.
    const told = oldSelf === undefined || !rules.some(({ usesOld }) => usesOld) ? { self } : { self, oldSelf };
    for (const program of rules) {
      if (this.#budget < 0) return;
      const { optionalOldSelf = false } = program.rule;
      if (program.usesOld && old === undefined && !optionalOldSelf) continue;
      const optional = oldSelf === undefined ? Optional.none : Optional.of(oldSelf);
      const bindings = optionalOldSelf ? { self, oldSelf: optional } : oldSelf === undefined ? { self } : { self, oldSelf };
      this.#rule(program, bindings, { path, value, type, ratchet, told });
    }
  }

  #rule(compiled: RuleProgram, bindings: Bindings, place: Place): void {
    const { rule, program, problem } = compiled;
    const { path, type } = place;
    if (problem !== undefined) this.errors.push(invalidValue(path, type, `rule compile error: ${problem}`));
    if (program === undefined) return;
    const outcome = this.#evaluate(program, bindings);
    if (outcome.isBeyondBudget) {
      this.errors.push(
        invalidValue(path, type, "validation failed due to running out of cost budget, no further validation rules will be run"),
      );
    } else if (outcome.type !== "Value") {
      this.errors.push(invalidValue(path, type, failure(outcome, rule)));
    } else if (outcome.value !== true) {
      this.#broken(compiled, place);
    }
  }

  #broken({ rule, message, fieldPath, usesOld }: RuleProgram, { path, value, type, ratchet, told }: Place): void {
    const at = path.child(fieldPath);
    const report = (error: FieldError): void => {
      (!usesOld && ratchet.tolerates() ? this.tolerated : this.errors).push(error);
    };
    const detail = message === undefined ? undefined : this.#message(message, rule, told);
    if (this.#budget < 0) report(invalidValue(at, type, detail ?? ""));
    else report(errorOf(rule, at, type === "object" || type === "array" ? undefined : value, detail ?? defaultMessage(rule)));
  }

  /** What a rule's expression says; undefined when it cannot be used. When it is too expensive, that is said instead and the budget is used up. */
  #message(program: Program, { messageExpression = "" }: ValidationRule, bindings: Bindings): string | undefined {
    const outcome = this.#evaluate(program, bindings);
    if (outcome.isBeyondBudget)
      return "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
    if (outcome.type === "CostExceeded") {
      return `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quote(messageExpression)}`;
    }
    const text = outcome.type === "Value" && typeof outcome.value === "string" ? outcome.value.trim() : "";
    return text === "" || text.includes("\n") || Buffer.byteLength(text) > longestMessage ? undefined : text;
  }

  #evaluate(program: Program, bindings: Bindings): Outcome & { readonly isBeyondBudget: boolean } {
    const outcome = program.evaluate(bindings, { costLimit: costLimitPerExpression });
    const isBeyondBudget = outcome.cost > this.#budget;
    this.#budget = isBeyondBudget || outcome.type === "CostExceeded" ? -1 : this.#budget - outcome.cost;
    return { ...outcome, isBeyondBudget };
  }
}

/** Where a rule is evaluated. */
interface Place {
  readonly path: FieldPath;
  readonly value: JsonValue;
  readonly type: string;
  readonly ratchet: RuleRatchet;
  /** What the expression of a message sees. */
  readonly told: Bindings;
}

function failure({ type, message }: Exclude<Outcome, { readonly type: "Value" }>, rule: ValidationRule): string {
  const about = named(rule);
  if (type === "CostExceeded")
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${about}`;
  if (!message.startsWith("no such overload")) return `${message} evaluating rule: ${about}`;
  return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${about}`;
}

function errorOf({ reason }: ValidationRule, path: FieldPath, value: JsonValue | undefined, detail: string): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return forbiddenField(path, detail);
    case "FieldValueRequired":
      return required(path, detail);
    case "FieldValueDuplicate":
      return value === undefined
        ? { type: "FieldValueDuplicate", field: path.toString(), body: "Duplicate value" }
        : duplicate(path, value);
    default:
      return value === undefined
        ? { type: "FieldValueInvalid", field: path.toString(), body: `Invalid value: ${detail}` }
        : invalidValue(path, value, detail);
  }
}

function defaultMessage(rule: ValidationRule): string {
  const { message = "" } = rule;
  return message === "" ? `failed rule: ${named(rule)}` : message.trim();
}

/** A rule by its message, or else by its text. */
function named({ message = "", rule = "" }: ValidationRule): string {
  return (message === "" ? rule : message).trim();
}
