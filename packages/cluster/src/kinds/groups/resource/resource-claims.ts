import { FieldPath, forbiddenField, invalidValue } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapPart, mapField } from "../../field-defaults.ts";
import { isUnchanged, requiredFields } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { has, listField, objectField, objectsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName, templateMetadataErrors } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { statusAlone } from "../../status-strategy.ts";
import { defaultDeviceClaim, limited, validateDeviceClaim } from "./device-claim.ts";

const path = FieldPath.of("spec");
const mostConsumers = 256;

/** `ResourceClaim`: devices that are asked for. */
export const resourceClaim: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", defaultDeviceClaim),
    validateCreate: (object) => validateDeviceClaim(objectField(object, "spec"), path),
    validateUpdate: (object, old) => validateSameSpec(object, old, "resource.v1.ResourceClaimSpec"),
  },
  status: { ...statusAlone, validateUpdate: validateStatus },
  columns: [nameColumn, { name: "State", type: "string", description: "how far it has come", cell: stateCell }, ageColumn],
};

/** `ResourceClaimTemplate`: from which claims of pods are made. */
export const resourceClaimTemplate: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", (spec) => mapField(spec, "spec", defaultDeviceClaim)),
    validateCreate: (object) => validateTemplate(objectField(object, "spec")),
    validateUpdate: (object, old) => [
      ...validateTemplate(objectField(object, "spec")),
      ...validateSameSpec(object, old, "resource.v1.ResourceClaimTemplateSpec"),
    ],
  },
  columns: [nameColumn, ageColumn],
};

function validateTemplate(spec: JsonObject): readonly FieldError[] {
  return [
    ...templateMetadataErrors(objectField(spec, "metadata"), path.child("metadata")),
    ...validateDeviceClaim(objectField(spec, "spec"), path.child("spec")),
  ];
}

function validateSameSpec(object: DynamicObject, old: DynamicObject, struct: string): readonly FieldError[] {
  return isUnchanged(object, old, "spec")
    ? []
    : [invalidValue(path, internalForm(struct, objectField(object, "spec")), "field is immutable")];
}

function validateStatus(object: DynamicObject): readonly FieldError[] {
  const status = objectField(object, "status");
  const at = FieldPath.of("status", "reservedFor");
  const consumers = objectsField(status, "reservedFor");
  const errors = limited(consumers, at, mostConsumers, (consumer, each) => requiredFields(consumer, ["resource", "name", "uid"], each));
  const isEarly = consumers.length > 0 && !has(status, "allocation");
  return isEarly ? [...errors, forbiddenField(at, "may not be specified when `allocated` is not set")] : errors;
}

function stateCell(object: DynamicObject): string {
  const status = objectField(object, "status");
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  const isAllocated = has(status, "allocation");
  return [
    ...(isDeleted ? ["deleted"] : []),
    ...(isAllocated ? ["allocated"] : isDeleted ? [] : ["pending"]),
    ...(isAllocated && listField(status, "reservedFor").length > 0 ? ["reserved"] : []),
  ].join(",");
}
