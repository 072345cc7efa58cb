import { ParseError, invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { resolveField } from "../definition/schema-field-path.ts";
import { structuralObstacle } from "../definition/structural-validation.ts";
import type { JsonSchemaProps, ValidationRule } from "../schema/structural-schema.ts";

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** What is wrong with the CEL rules of a schema, as far as can be told without reading the expressions. */
export function validateRules(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  return rules.flatMap((rule, index) => ruleErrors(rule, schema, path.child("x-kubernetes-validations").index(index)));
}

function ruleErrors(rule: ValidationRule, schema: JsonSchemaProps, path: FieldPath): FieldError[] {
  const { messageExpression = "", reason, fieldPath = "" } = rule;
  const errors = textErrors(rule, path);
  if (messageExpression !== "" && messageExpression.trim() === "") {
    errors.push(required(path.child("messageExpression"), "messageExpression must be non-empty if specified"));
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notEnumerated(path.child("reason"), reason, reasons));
  const at = path.child("fieldPath");
  if (fieldPath !== "" && fieldPath.trim() === "") errors.push(invalidValue(at, fieldPath, "must be non-empty if specified"));
  if (hasLineBreak(fieldPath)) errors.push(invalidValue(at, fieldPath, "must not contain line breaks"));
  if (fieldPath !== "" && !leadsSomewhere(fieldPath, schema)) errors.push(invalidValue(at, fieldPath, "must be a valid path"));
  return errors;
}

/** Of these one at most is reported. */
function textErrors({ rule = "", message = "" }: ValidationRule, path: FieldPath): FieldError[] {
  if (rule.trim() === "") return [required(path.child("rule"), "rule is not specified")];
  if (message !== "" && message.trim() === "") return [invalidValue(path.child("message"), message, "must be non-empty if specified")];
  if (hasLineBreak(message.trim())) return [invalidValue(path.child("message"), message, "must not contain line breaks")];
  if (!hasLineBreak(rule.trim()) || message.trim() !== "") return [];
  return [required(path.child("message"), "message must be specified if rule contains line breaks")];
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

function leadsSomewhere(fieldPath: string, schema: JsonSchemaProps): boolean {
  if (structuralObstacle(schema) !== undefined) return true;
  try {
    resolveField(fieldPath, schema, { brackets: "allowed" });
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
