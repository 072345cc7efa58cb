import { FieldPath, controllerOf, parseApiVersion, required } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { immutable, nonNegative } from "../../field-rules.ts";
import { field, numberField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";

/** `ControllerRevision`: what a controller's template once was. */
export const controllerRevision: KindDetails = {
  strategy: {
    validateName: subdomainName,
    validateCreate: (object) => [...nonNegative(object, "revision", FieldPath.root), ...validateData(object)],
    validateUpdate: (object, old) => [
      ...nonNegative(object, "revision", FieldPath.root),
      ...immutable(object, old, ["data"], FieldPath.root),
    ],
  },
  columns: [
    nameColumn,
    { name: "Controller", type: "string", description: "whose revision it is", cell: controllerCell },
    { name: "Revision", type: "string", description: "its number", cell: (object) => numberField(object, "revision") ?? 0 },
    ageColumn,
  ],
};

function validateData(object: DynamicObject): readonly FieldError[] {
  const data = field(object, "data");
  if (data === undefined) return [required(FieldPath.of("data"), "data is mandatory")];
  const isObject = typeof data === "object" && !Array.isArray(data);
  return isObject ? [] : [required(FieldPath.of("data"), "data must be a valid JSON object")];
}

function controllerCell(object: DynamicObject): string {
  const owner = controllerOf(object);
  if (owner === undefined) return "<none>";
  const { group } = parseApiVersion(owner.apiVersion);
  return `${`${owner.kind}${group === "" ? "" : `.${group}`}`.toLowerCase()}/${owner.name}`;
}
