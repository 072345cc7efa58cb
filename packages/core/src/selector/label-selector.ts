import { forbiddenField, invalidValue, required } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import type { FieldPath } from "../error/field-path.ts";
import { quote } from "../go/go-quote.ts";
import { compileRequirement, formatRequirement, labelRequirement } from "./label-requirement.ts";
import type { LabelRequirement } from "./label-requirement.ts";
import { parseRequirements } from "./label-selector-parser.ts";
import { validateLabels } from "../object/labels.ts";
import type { Labels } from "../object/labels.ts";
import { labelValueErrors, qualifiedNameErrors } from "../object/names.ts";
import { ParseError } from "../error/parse-error.ts";

/** Which objects are meant, as an API object says it. All of it must hold; empty, it means all objects. */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** One condition of a `LabelSelector`. */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values?: readonly string[];
}

/** A `LabelSelector` as definitions of others have it, whose schema takes any text for an operator. */
export interface LooseLabelSelector {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

/** Conditions on labels that must all hold, compiled. */
export class Selector {
  /** Holds for every object. */
  static readonly everything: Selector = new Selector([]);
  /** Holds for no object. As text it cannot be told from `everything`. */
  static readonly nothing: Selector = new Selector([], [() => false]);

  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  readonly #predicates: ReadonlyArray<(labels: Labels) => boolean>;

  private constructor(requirements: readonly LabelRequirement[], predicates = requirements.map(compileRequirement)) {
    this.requirements = requirements;
    this.#predicates = predicates;
  }

  /** A selector of these conditions. */
  static of(requirements: readonly LabelRequirement[]): Selector {
    return new Selector(requirements.toSorted((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0)));
  }

  matches(labels: Labels = {}): boolean {
    return this.#predicates.every((matches) => matches(labels));
  }

  /** The text form, in which `parseSelector` reads it. */
  toString(): string {
    return this.requirements.map(formatRequirement).join(",");
  }
}

/** Reads the text form, such as `app=web,tier in (a,b),!canary`; throws a `ParseError` in the API server's words. */
export function parseSelector(text: string): Selector {
  return Selector.of(parseRequirements(text));
}

/** Compiles the object form: one that is absent means no object, an empty one every object. One with an operator that there is not is a `ParseError`. */
export function compileSelector(selector: LooseLabelSelector | undefined): Selector {
  if (selector === undefined) return Selector.nothing;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return Selector.of([
    ...Object.entries(matchLabels).map(([key, value]) => labelRequirement(key, "=", [value])),
    ...matchExpressions.map(compileExpression),
  ]);
}

/** A selector of whichever form. */
export function selectorOf(selector: string | LabelSelector | Selector): Selector {
  if (selector instanceof Selector) return selector;
  return typeof selector === "string" ? parseSelector(selector) : compileSelector(selector);
}

/** Checks the object form as the API server does. */
export function validateLabelSelector(selector: LabelSelector, path: FieldPath): readonly FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return [
    ...validateLabels(matchLabels, path.child("matchLabels")),
    ...matchExpressions.flatMap((expression, index) => validateExpression(expression, path.child("matchExpressions").index(index))),
  ];
}

type LooseRequirement = NonNullable<LooseLabelSelector["matchExpressions"]>[number];

function compileExpression({ key, operator, values = [] }: LooseRequirement): LabelRequirement {
  switch (operator) {
    case "In":
      return labelRequirement(key, "in", values);
    case "NotIn":
      return labelRequirement(key, "notin", values);
    case "Exists":
      return labelRequirement(key, "exists", values);
    case "DoesNotExist":
      return labelRequirement(key, "!", values);
    default:
      throw new ParseError(`${quote(operator)} is not a valid label selector operator`);
  }
}

function validateExpression({ key, operator, values = [] }: LabelSelectorRequirement, path: FieldPath): readonly FieldError[] {
  return [
    ...validateOperator(operator, values, path),
    ...qualifiedNameErrors(key).map((error) => invalidValue(path.child("key"), key, error)),
    ...values.flatMap((value, index) =>
      labelValueErrors(value).map((error) => invalidValue(path.child("values").index(index), value, error)),
    ),
  ];
}

function validateOperator(
  operator: LabelSelectorRequirement["operator"],
  values: readonly string[],
  path: FieldPath,
): readonly FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length > 0) return [];
      return [required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      if (values.length === 0) return [];
      return [forbiddenField(path.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      // In Go it has a type of its own, so that it is printed as JSON and not as a string.
      return [invalidValue(path.child("operator"), Object(operator satisfies never), "not a valid selector operator")];
  }
}
