import { invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { eachItem } from "../../field-rules.ts";
import { objectsField, stringField } from "../../json-fields.ts";

const reserved =
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(" ");

/** What is wrong with the variables of a policy. */
export function validateVariables(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  return eachItem(objectsField(spec, "variables"), path.child("variables"), (variable, at) => {
    const name = stringField(variable, "name");
    const isName = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reserved.includes(name);
    const ofName = isName ? [] : [invalidValue(at.child("name"), name, "must be a valid CEL identifier")];
    return [
      ...(name.trim() === "" ? [required(at.child("name"), "name is not specified")] : ofName),
      ...(stringField(variable, "expression").trim() === "" ? [required(at.child("expression"), "expression is not specified")] : []),
    ];
  });
}
