import { FieldPath } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { objectField, objectsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { limited, validateConfiguration, validateSelectors } from "./device-claim.ts";

const mostConfigs = 32;

/** `DeviceClass`: devices of one sort. */
export const deviceClass: KindDetails = {
  strategy: { generationOf: "spec", validateName: subdomainName, validateCreate: validateClass, validateUpdate: validateClass },
  columns: [nameColumn, ageColumn],
};

function validateClass(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = objectField(object, "spec");
  return [
    ...validateSelectors(spec, path),
    ...limited(objectsField(spec, "config"), path.child("config"), mostConfigs, validateConfiguration),
  ];
}
