import { aggregateMessage, invalidValue, notSupported } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import { FieldPath } from "../error/field-path.ts";
import { parseInt64 } from "../scalar/int64.ts";
import type { Labels } from "../object/labels.ts";
import { labelValueErrors, qualifiedNameErrors } from "../object/names.ts";
import { ParseError } from "../error/parse-error.ts";

/** How a label's value relates to the values of a requirement, as apimachinery calls it. */
export type LabelOperator = (typeof binaryOperators)[number] | "exists" | "!";

/** The operators that have a value or several, in the order in which messages list them. */
export const binaryOperators = ["in", "notin", "=", "==", "!=", "gt", "lt"] as const;

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** A requirement whose parts fit together; throws a `ParseError` that lists what does not. */
export function labelRequirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const path = FieldPath.of("values");
  const errors = [
    ...keyError(key, FieldPath.of("key")),
    ...operatorErrors(operator, values, path),
    ...values.flatMap((value, index) => joined(labelValueErrors(value), path.index(index).key(key), value)),
  ];
  if (errors.length > 0) throw new ParseError(aggregateMessage(errors));
  return { key, operator, values };
}

/** What is wrong with the key of a label, if anything, as one error. */
export function keyError(key: string, path: FieldPath): readonly FieldError[] {
  return joined(qualifiedNameErrors(key), path, key);
}

/** The requirement as a predicate. */
export function compileRequirement({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [value = ""] = values;
  const has = (labels: Labels): boolean => Object.hasOwn(labels, key);
  switch (operator) {
    case "=":
    case "==":
      return (labels) => has(labels) && labels[key] === value;
    case "in":
      return (labels) => has(labels) && values.includes(labels[key] ?? "");
    case "!=":
    case "notin":
      return (labels) => !has(labels) || !values.includes(labels[key] ?? "");
    case "exists":
      return has;
    case "!":
      return (labels) => !has(labels);
    case "gt":
    case "lt":
      return (labels) => has(labels) && compareIntegers(labels[key] ?? "", operator, value);
    default:
      return operator satisfies never;
  }
}

/** The requirement as text, values in order. */
export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.toSorted().join(",")})`;
    case "gt":
      return `${key}>${values.join(",")}`;
    case "lt":
      return `${key}<${values.join(",")}`;
    case "=":
    case "==":
    case "!=":
      return `${key}${operator}${values.join(",")}`;
    default:
      return operator satisfies never;
  }
}

function operatorErrors(operator: LabelOperator, values: readonly string[], path: FieldPath): readonly FieldError[] {
  // The server prints an empty list as the nil slice that it is there.
  const printed = values.length === 0 ? null : values;
  switch (operator) {
    case "in":
    case "notin":
      return values.length > 0 ? [] : [invalidValue(path, printed, "for 'in', 'notin' operators, values set can't be empty")];
    case "=":
    case "==":
    case "!=":
      return values.length === 1 ? [] : [invalidValue(path, printed, "exact-match compatibility requires one single value")];
    case "exists":
    case "!":
      return values.length === 0 ? [] : [invalidValue(path, printed, "values set must be empty for exists and does not exist")];
    case "gt":
    case "lt":
      return [
        ...(values.length === 1 ? [] : [invalidValue(path, printed, "for 'Gt', 'Lt' operators, exactly one value is required")]),
        ...values.flatMap((value, index) =>
          parseInt64(value) === undefined
            ? [invalidValue(path.index(index), value, "for 'Gt', 'Lt' operators, the value must be an integer")]
            : [],
        ),
      ];
    default:
      return [notSupported(FieldPath.of("operator"), operator satisfies never, [...binaryOperators, "exists", "!"])];
  }
}

function compareIntegers(labelValue: string, operator: "gt" | "lt", value: string): boolean {
  const left = parseInt64(labelValue);
  const right = parseInt64(value);
  if (left === undefined || right === undefined) return false;
  return operator === "gt" ? left > right : left < right;
}

function joined(messages: readonly string[], path: FieldPath, value: string): readonly FieldError[] {
  return messages.length === 0 ? [] : [invalidValue(path, value, messages.join("; "))];
}
