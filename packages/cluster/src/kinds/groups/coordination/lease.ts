import { FieldPath, forbiddenField, invalidValue, qualifiedNameErrors } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapPart, withoutFields } from "../../field-defaults.ts";
import { invalidFor } from "../../field-rules.ts";
import { has, numberField, objectField, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";

/** `Lease`: who holds something, and for how long. */
export const lease: KindDetails = {
  strategy: {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validateName: subdomainName,
    prepareCreate: (object) => mapPart(object, "spec", (spec) => withoutCoordination(spec, {})),
    prepareUpdate: (object, old) => mapPart(object, "spec", (spec) => withoutCoordination(spec, objectField(old, "spec"))),
    validateCreate: validateLease,
    validateUpdate: validateLease,
  },
  columns: [
    nameColumn,
    {
      name: "Holder",
      type: "string",
      description: "who holds the lease",
      cell: (object) => stringField(objectField(object, "spec"), "holderIdentity"),
    },
    ageColumn,
  ],
};

/** Coordinated leader election is off unless asked for, so its fields are dropped. */
function withoutCoordination(spec: JsonObject, old: JsonObject): JsonObject {
  return withoutFields(spec, ...["strategy", "preferredHolder"].filter((name) => !has(old, name)));
}

function validateLease(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = objectField(object, "spec");
  const duration = numberField(spec, "leaseDurationSeconds");
  const transitions = numberField(spec, "leaseTransitions");
  const errors: FieldError[] = [];
  if (duration !== undefined && duration <= 0)
    errors.push(invalidValue(path.child("leaseDurationSeconds"), duration, "must be greater than 0"));
  if (transitions !== undefined && transitions < 0) {
    errors.push(invalidValue(path.child("leaseTransitions"), transitions, "must be greater than or equal to 0"));
  }
  if (has(spec, "strategy")) errors.push(...validateElection(stringField(spec, "strategy"), path.child("strategy", "strategy")));
  if (stringField(spec, "preferredHolder") !== "" && stringField(spec, "strategy") === "") {
    errors.push(forbiddenField(path.child("preferredHolder"), "may only be specified if `strategy` is defined"));
  }
  return errors;
}

function validateElection(strategy: string, path: FieldPath): readonly FieldError[] {
  if (strategy.includes("/")) return invalidFor(path, strategy, qualifiedNameErrors(strategy));
  return strategy === "OldestEmulationVersion" ? [] : [notEnumerated(path, strategy, ["OldestEmulationVersion"])];
}
