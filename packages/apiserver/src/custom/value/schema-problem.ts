import { FieldPath, invalidValue, notSupported, required, stringifyJson, tooLong, tooMany, typeInvalid } from "@kaji/core";
import type { FieldError, JsonValue } from "@kaji/core";
import { formatGoFloat, quote } from "@kaji/core/go";
import { sortedJson } from "../schema/sorted-json.ts";

/** What a value does wrong by its schema. `name` is the path of the value below where validation began, empty for the value itself. */
export type SchemaProblem =
  | { readonly type: "Required"; readonly name: string; readonly message: string }
  | { readonly type: "Type"; readonly name: string; readonly message: string; readonly value: string }
  | {
      readonly type: "Enum";
      readonly name: string;
      readonly message: string;
      readonly value: JsonValue;
      readonly supported: readonly JsonValue[];
    }
  | { readonly type: "TooLong"; readonly name: string; readonly message: string; readonly most: number }
  | { readonly type: "TooMany"; readonly name: string; readonly message: string; readonly count: number; readonly most: number }
  | { readonly type: "Value"; readonly name: string; readonly message: string; readonly value: JsonValue }
  /** A number that was compared as a floating-point one, and is shown as such. */
  | { readonly type: "Float"; readonly name: string; readonly message: string; readonly value: number }
  /** Not about one value, so that it is reported of the whole. */
  | { readonly type: "Whole"; readonly message: string };

/** What validation of a value has found so far. */
export class SchemaFindings {
  readonly problems: SchemaProblem[] = [];
  /** How many checks applied: of several alternatives that failed, the one with the most is explained. */
  matches = 0;

  /** Adds a problem, once. */
  add(problem: SchemaProblem): void {
    if (!this.problems.some(({ message }) => message === problem.message)) this.problems.push(problem);
  }

  /** Adds what was found elsewhere. */
  merge(other: SchemaFindings): void {
    for (const problem of other.problems) this.add(problem);
    this.matches += other.matches;
  }
}

/** A value is of the wrong type or format. */
export function typeProblem(name: string, expected: string, value: string): SchemaProblem {
  return { type: "Type", name, message: `${name} in body must be of type ${expected}: ${quote(value)}`, value };
}

/** A value breaks a rule, which is worded to follow the name of the value. */
export function valueProblem(name: string, value: JsonValue, rule: string): SchemaProblem {
  return { type: "Value", name, message: `${name} in body ${rule}`, value };
}

/** Words a problem as the server does. `base` is where validation began; undefined for a whole object. */
export function fieldErrorOf(problem: SchemaProblem, base: string | undefined): FieldError {
  const whole = FieldPath.of(base ?? "<nil>");
  if (problem.type === "Whole") return invalidValue(whole, "", problem.message);
  const name = problem.name.startsWith(".") ? problem.name.slice(1) : problem.name;
  const path = name === "" ? whole : FieldPath.of(base ?? "", name);
  switch (problem.type) {
    case "Required":
      return required(path);
    case "Type":
      return typeInvalid(path, problem.value, problem.message);
    case "Enum":
      return notSupported(path, sortedJson(problem.value), problem.supported.map(enumText));
    case "TooLong":
      return tooLong(path, problem.most);
    case "TooMany":
      return tooMany(path, problem.count, problem.most);
    case "Value":
      return invalidValue(path, problem.value, problem.message);
    case "Float":
      return {
        type: "FieldValueInvalid",
        field: path.toString(),
        body: `Invalid value: ${formatGoFloat(problem.value)}: ${problem.message}`,
      };
    default:
      return problem satisfies never;
  }
}

function enumText(value: JsonValue): string {
  return typeof value === "string" ? value : stringifyJson(sortedJson(value));
}
