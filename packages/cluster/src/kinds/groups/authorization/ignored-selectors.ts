import { FieldPath, ParseError, parseFieldSelector, parseSelector, validateLabelSelector } from "@kaji/core";
import type { JsonObject, LabelSelectorRequirement } from "@kaji/core";
import { objectField, objectsField, optionalObject, stringField, stringsField } from "../../json-fields.ts";

/** What of the selectors in a question about access is not understood, as an answer says it; empty if nothing. What is ignored makes the question a wider one, so that it is no reason to refuse it. */
export function ignoredSelectors(spec: JsonObject): string {
  const attributes = objectField(spec, "resourceAttributes");
  return [
    ignoredOf("fieldSelector", attributes, parseFieldSelector, isFieldRequirement),
    ignoredOf("labelSelector", attributes, parseSelector, isLabelRequirement),
  ]
    .filter((text) => text !== "")
    .join("; ");
}

function ignoredOf(
  name: string,
  attributes: JsonObject,
  parse: (text: string) => object,
  isUnderstood: (requirement: JsonObject) => boolean,
): string {
  const selector = optionalObject(attributes, name);
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

/** Fields can be asked for by one value alone. */
function isFieldRequirement(requirement: JsonObject): boolean {
  const operator = stringField(requirement, "operator");
  return (operator === "In" || operator === "NotIn") && stringsField(requirement, "values").length === 1;
}

const labelOperators: ReadonlySet<string> = new Set([
  "In",
  "NotIn",
  "Exists",
  "DoesNotExist",
] satisfies LabelSelectorRequirement["operator"][]);

function isLabelRequirement(requirement: JsonObject): boolean {
  const operator = stringField(requirement, "operator");
  if (!isLabelOperator(operator)) return false;
  const expression = { key: stringField(requirement, "key"), operator, values: stringsField(requirement, "values") };
  return validateLabelSelector({ matchExpressions: [expression] }, FieldPath.of("labelSelector")).length === 0;
}

function isLabelOperator(operator: string): operator is LabelSelectorRequirement["operator"] {
  return labelOperators.has(operator);
}
