import { FieldPath, invalidValue, pathSegmentErrors, required, validateLabelSelector } from "@kaji/core";
import type { DynamicObject, FieldError, LabelSelector } from "@kaji/core";
import { eachItem } from "../../field-rules.ts";
import { objectsField, optionalObject } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { isSelector } from "../../selector-rules.ts";
import { validatePolicyRule } from "./policy-rule.ts";

/** `Role`: what may be done in a namespace. */
export const role: KindDetails = {
  strategy: {
    createOnUpdate: true,
    validateName: pathSegmentErrors,
    validateCreate: (object) => validateRules(object, "Namespaced"),
    validateUpdate: (object) => validateRules(object, "Namespaced"),
  },
};

/** `ClusterRole`: what may be done anywhere. */
export const clusterRole: KindDetails = {
  strategy: {
    createOnUpdate: true,
    validateName: pathSegmentErrors,
    validateCreate: validateClusterRole,
    validateUpdate: validateClusterRole,
  },
};

function validateClusterRole(object: DynamicObject): readonly FieldError[] {
  const errors = validateRules(object, "Cluster");
  const aggregation = optionalObject(object, "aggregationRule");
  if (aggregation === undefined) return errors;
  const path = FieldPath.of("aggregationRule", "clusterRoleSelectors");
  const selectors = objectsField(aggregation, "clusterRoleSelectors");
  if (selectors.length === 0) return [...errors, required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  return [...errors, ...eachItem(selectors, path, validateAggregated)];
}

function validateAggregated(selector: LabelSelector, path: FieldPath): readonly FieldError[] {
  const errors = validateLabelSelector(selector, path);
  return isSelector(selector) ? errors : [...errors, invalidValue(path, null, "invalid label selector.")];
}

function validateRules(object: DynamicObject, scope: "Cluster" | "Namespaced"): readonly FieldError[] {
  return eachItem(objectsField(object, "rules"), FieldPath.of("rules"), (rule, path) => validatePolicyRule(rule, path, scope));
}
