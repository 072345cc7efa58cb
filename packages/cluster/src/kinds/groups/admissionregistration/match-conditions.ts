import { duplicate, qualifiedNameErrors, required, tooMany } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { eachItem, requiredText } from "../../field-rules.ts";
import { has, objectsField, stringField } from "../../json-fields.ts";
import { validateExpression } from "./cel-expression.ts";

const mostConditions = 64;

/** What is wrong with match conditions. Those of a policy may use its `params`. */
export function validateMatchConditions(parent: JsonObject, path: FieldPath): readonly FieldError[] {
  const conditions = objectsField(parent, "matchConditions");
  const names = conditions.map((condition) => stringField(condition, "name"));
  const at = path.child("matchConditions");
  const scope = { hasParams: has(parent, "paramKind"), hasAuthorizer: true };
  return [
    ...(conditions.length > mostConditions ? [tooMany(at, conditions.length, mostConditions)] : []),
    ...eachItem(conditions, at, (condition, conditionPath, index) => {
      const name = stringField(condition, "name");
      const expression = stringField(condition, "expression").trim();
      const expressionPath = conditionPath.child("expression");
      return [
        ...(expression === "" ? [required(expressionPath)] : validateExpression(expression, scope, "bool", expressionPath)),
        ...requiredText(condition, "name", conditionPath, qualifiedNameErrors),
        ...(name !== "" && names.indexOf(name) < index ? [duplicate(conditionPath.child("name"), name)] : []),
      ];
    }),
  ];
}
