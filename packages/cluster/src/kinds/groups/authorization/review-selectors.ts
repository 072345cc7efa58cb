import {
  FieldPath,
  ParseError,
  forbiddenField,
  invalidValue,
  labelValueErrors,
  parseFieldSelector,
  parseSelector,
  qualifiedNameErrors,
  required,
} from "@kaji/core";
import type { FieldError, JsonObject } from "@kaji/core";
import { objectField, objectsField, optionalObject, stringField, stringsField } from "../../json-fields.ts";

/** What makes one sort of selector in a question about access another than the other. */
interface SelectorSort {
  readonly name: "fieldSelector" | "labelSelector";
  readonly parse: (text: string) => object;
  /** Whether a condition that is valid is one that this server knows. */
  readonly isUnderstood: (requirement: JsonObject) => boolean;
  /** Checks one condition, in the order of the server. */
  readonly validate: (requirement: JsonObject, path: FieldPath) => readonly FieldError[];
}

/** Fields can be asked for by one value alone. */
const fieldSelectors: SelectorSort = {
  name: "fieldSelector",
  parse: parseFieldSelector,
  isUnderstood: (requirement) => isSet(requirement) && stringsField(requirement, "values").length === 1,
  validate: (requirement, path) => [
    ...(stringField(requirement, "key") === "" ? [required(path.child("key"), "must be specified")] : []),
    ...validateCount(requirement, path.child("values")),
  ],
};

const labelSelectors: SelectorSort = {
  name: "labelSelector",
  parse: parseSelector,
  isUnderstood: (requirement) => isSet(requirement) || isPresence(requirement),
  validate: (requirement, path) => [
    ...validateCount(requirement, path.child("values")),
    ...qualifiedNameErrors(stringField(requirement, "key")).map((error) =>
      invalidValue(path.child("key"), stringField(requirement, "key"), error),
    ),
    ...stringsField(requirement, "values").flatMap((value, index) =>
      labelValueErrors(value).map((error) => invalidValue(path.child("values").index(index), value, error)),
    ),
  ],
};

/** Checks the selectors of a question. An operator that is not known may be one that is known to newer clients. */
export function validateSelectors(spec: JsonObject): readonly FieldError[] {
  const attributes = objectField(spec, "resourceAttributes");
  return [fieldSelectors, labelSelectors].flatMap((sort) => {
    const selector = optionalObject(attributes, sort.name);
    return selector === undefined ? [] : validateSelector(selector, sort, FieldPath.of("spec", "resourceAttributes", sort.name));
  });
}

/** What of the selectors of a question is not understood, as the answer says it; empty if nothing. What is ignored makes the question a wider one, so that it is no reason to refuse it. */
export function ignoredSelectors(spec: JsonObject): string {
  const attributes = objectField(spec, "resourceAttributes");
  const ignored = [fieldSelectors, labelSelectors].map((sort) => ignoredOf(optionalObject(attributes, sort.name), sort));
  return ignored.filter((text) => text !== "").join("; ");
}

function validateSelector(selector: JsonObject, { validate }: SelectorSort, at: FieldPath): readonly FieldError[] {
  const [raw, requirements] = [stringField(selector, "rawSelector"), objectsField(selector, "requirements")];
  const isBoth = raw !== "" && requirements.length > 0;
  const isNeither = raw === "" && requirements.length === 0;
  return [
    ...(isBoth ? [invalidValue(at.child("rawSelector"), raw, "may not specified at the same time as requirements")] : []),
    ...(isNeither ? [required(at.child("requirements"), `when ${at} is specified, requirements or rawSelector is required`)] : []),
    ...requirements.flatMap((requirement, index) => validate(requirement, at.child("requirements").index(index))),
  ];
}

function validateCount(requirement: JsonObject, path: FieldPath): readonly FieldError[] {
  const { length } = stringsField(requirement, "values");
  if (isSet(requirement) && length === 0) return [required(path, "must be specified when `operator` is 'In' or 'NotIn'")];
  if (isPresence(requirement) && length > 0)
    return [forbiddenField(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [];
}

function ignoredOf(selector: JsonObject | undefined, { name, parse, isUnderstood }: SelectorSort): string {
  const requirements = objectsField(selector, "requirements");
  const understood = requirements.filter(isUnderstood);
  if (understood.length === requirements.length && parses(parse, stringField(selector, "rawSelector"))) return "";
  return `spec.resourceAttributes.${name} ${understood.length > 0 ? "partially " : ""}ignored due to parse error`;
}

function parses(parse: (text: string) => object, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}

/** Whether values are compared. */
function isSet(requirement: JsonObject): boolean {
  const operator = stringField(requirement, "operator");
  return operator === "In" || operator === "NotIn";
}

/** Whether it is only asked if there is a value. */
function isPresence(requirement: JsonObject): boolean {
  const operator = stringField(requirement, "operator");
  return operator === "Exists" || operator === "DoesNotExist";
}
