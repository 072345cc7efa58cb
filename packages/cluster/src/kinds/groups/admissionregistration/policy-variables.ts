import { compileVariables } from "@kaji/apiserver";
import type { ExpressionScope } from "@kaji/apiserver";
import { invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { eachItem } from "../../field-rules.ts";
import { has, objectsField, stringField } from "../../json-fields.ts";
import { faultOf } from "./cel-expression.ts";

const reserved =
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(" ");

/** What is wrong with the variables of a policy. */
export function validateVariables(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const { expressions } = variablesOf(spec);
  return eachItem(objectsField(spec, "variables"), path.child("variables"), (variable, at, index) => {
    const name = stringField(variable, "name");
    const isName = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reserved.includes(name);
    const ofName = isName ? [] : [invalidValue(at.child("name"), name, "must be a valid CEL identifier")];
    const isBlank = stringField(variable, "expression").trim() === "";
    const compiled = expressions[index];
    return [
      ...(name.trim() === "" ? [required(at.child("name"), "name is not specified")] : ofName),
      ...(isBlank ? [required(at.child("expression"), "expression is not specified")] : []),
      ...(isBlank || compiled === undefined ? [] : faultOf(compiled, at.child("expression"))),
    ];
  });
}

/** What the expressions of a policy may speak of. */
export function policyScope(spec: JsonObject): Omit<ExpressionScope, "hasAuthorizer"> {
  const { types } = variablesOf(spec);
  return { hasParams: has(spec, "paramKind"), ...(types.size === 0 ? {} : { variables: types }) };
}

/** What the mutations of a policy may speak of: `variables`, even where there are none. */
export function mutationScope(spec: JsonObject): Omit<ExpressionScope, "hasAuthorizer"> {
  return { hasParams: has(spec, "paramKind"), variables: variablesOf(spec).types, makesPatches: true };
}

function variablesOf(spec: JsonObject): ReturnType<typeof compileVariables> {
  const variables = objectsField(spec, "variables").map((variable) => ({
    name: stringField(variable, "name"),
    expression: stringField(variable, "expression"),
  }));
  return compileVariables(variables, { hasParams: has(spec, "paramKind") });
}
