import { duplicate, qualifiedNameErrors, required, tooMany } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { eachItem, requiredText } from "../../field-rules.ts";
import { objectsField, stringField } from "../../json-fields.ts";

const mostConditions = 64;

/** What is wrong with the conditions under which something is asked at all. */
export function validateMatchConditions(parent: JsonObject, path: FieldPath): readonly FieldError[] {
  const conditions = objectsField(parent, "matchConditions");
  const names = conditions.map((condition) => stringField(condition, "name"));
  const at = path.child("matchConditions");
  return [
    ...(conditions.length > mostConditions ? [tooMany(at, conditions.length, mostConditions)] : []),
    ...eachItem(conditions, at, (condition, conditionPath, index) => {
      const name = stringField(condition, "name");
      return [
        ...(stringField(condition, "expression").trim() === "" ? [required(conditionPath.child("expression"))] : []),
        ...requiredText(condition, "name", conditionPath, qualifiedNameErrors),
        ...(name !== "" && names.indexOf(name) < index ? [duplicate(conditionPath.child("name"), name)] : []),
      ];
    }),
  ];
}
