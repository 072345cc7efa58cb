import { duplicate, invalidValue, qualifiedNameErrors, required, tooLong } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { eachItem, invalidFor } from "./field-rules.ts";
import { has, numberField, objectsField, stringField } from "./json-fields.ts";
import type { Fields } from "./json-fields.ts";

const longestReason = 1024;
const longestMessage = 32 * 1024;
const reason = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${reason}$`);

/** Checks the `conditions` of a status, where they have the common form. */
export function validateConditions(status: Fields, path: FieldPath): readonly FieldError[] {
  const conditions = objectsField(status, "conditions");
  const types = conditions.map((condition) => stringField(condition, "type"));
  return eachItem(conditions, path.child("conditions"), (condition, at, index) => {
    const type = stringField(condition, "type");
    const isAgain = types.indexOf(type) < index;
    return [...(isAgain ? [duplicate(at.child("type"), type)] : []), ...validateCondition(condition, at)];
  });
}

function validateCondition(condition: JsonObject, path: FieldPath): readonly FieldError[] {
  const status = stringField(condition, "status");
  const errors = [...invalidFor(path.child("type"), stringField(condition, "type"), qualifiedNameErrors(stringField(condition, "type")))];
  if (!["True", "False", "Unknown"].includes(status))
    errors.push(notEnumerated(path.child("status"), status, ["False", "True", "Unknown"]));
  const observed = numberField(condition, "observedGeneration") ?? 0;
  if (observed < 0) errors.push(invalidValue(path.child("observedGeneration"), observed, "must be greater than or equal to zero"));
  if (!has(condition, "lastTransitionTime")) errors.push(required(path.child("lastTransitionTime")));
  return [...errors, ...validateReason(stringField(condition, "reason"), path.child("reason")), ...validateMessage(condition, path)];
}

function validateReason(text: string, path: FieldPath): readonly FieldError[] {
  if (text === "") return [required(path)];
  const errors: FieldError[] = [];
  if (!reasonPattern.test(text)) {
    const rule =
      "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
    const examples = "'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB'";
    errors.push(invalidValue(path, text, `${rule} (e.g. ${examples}, regex used for validation is '${reason}')`));
  }
  return Buffer.byteLength(text) > longestReason ? [...errors, tooLong(path, longestReason)] : errors;
}

function validateMessage(condition: JsonObject, path: FieldPath): readonly FieldError[] {
  return Buffer.byteLength(stringField(condition, "message")) > longestMessage ? [tooLong(path.child("message"), longestMessage)] : [];
}
