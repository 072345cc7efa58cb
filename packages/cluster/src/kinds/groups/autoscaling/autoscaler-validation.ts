import { FieldPath, Quantity, invalidValue, pathSegmentErrors, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { eachItem, isUnchanged, nonNegatives, optionalOneOf, requiredText } from "../../field-rules.ts";
import { field, has, numberField, objectField, objectsField, optionalObject, stringField } from "../../json-fields.ts";
import { validateMetrics } from "./metric-validation.ts";

const path = FieldPath.of("spec");
const longestPeriod = 1800;
const longestWindow = 3600;

/** What is wrong with an autoscaler, in the form of `autoscaling/v2`. */
export function validateAutoscaler(object: DynamicObject, old?: DynamicObject): readonly FieldError[] {
  const [spec, before] = [objectField(object, "spec"), old === undefined ? undefined : objectField(old, "spec")];
  const target = objectField(spec, "scaleTargetRef");
  const isSameKind =
    before !== undefined && ["apiVersion", "kind"].every((name) => isUnchanged(target, objectField(before, "scaleTargetRef"), name));
  const apiGroup = isSameKind ? "any" : stringField(target, "kind") === "ReplicationController" ? "optional" : "required";
  const hadBadMetric =
    before !== undefined &&
    objectsField(before, "metrics").some(
      (metric) => apiVersionProblem(objectField(objectField(metric, "object"), "describedObject"), "optional") !== undefined,
    );
  return [
    ...validateReplicas(spec, numberField(before, "minReplicas") === 0 ? 0 : 1),
    ...validateReference(target, path.child("scaleTargetRef"), apiGroup),
    ...validateMetrics(spec, path.child("metrics"), (reference, at) => validateReference(reference, at, hadBadMetric ? "any" : "optional")),
    ...["scaleUp", "scaleDown"].flatMap((name) =>
      validateRules(optionalObject(objectField(spec, "behavior"), name), path.child("behavior", name)),
    ),
  ];
}

/** What is wrong with what a controller says of an autoscaler. */
export function validateAutoscalerStatus(object: DynamicObject): readonly FieldError[] {
  return nonNegatives(objectField(object, "status"), ["currentReplicas", "desiredReplicas"], FieldPath.of("status"));
}

function validateReplicas(spec: JsonObject, least: number): readonly FieldError[] {
  const [min, max] = [numberField(spec, "minReplicas"), numberField(spec, "maxReplicas") ?? 0];
  const errors: FieldError[] = [];
  if (min !== undefined && min < least)
    errors.push(invalidValue(path.child("minReplicas"), min, `must be greater than or equal to ${least}`));
  if (max === 0) errors.push(required(path.child("maxReplicas"), "must be set and greater than 0"));
  else if (max < 0) errors.push(invalidValue(path.child("maxReplicas"), max, "must be greater than or equal to 1"));
  if (min !== undefined && max < min)
    errors.push(invalidValue(path.child("maxReplicas"), max, "must be greater than or equal to `minReplicas`"));
  return errors;
}

type ApiGroupRule = "any" | "optional" | "required";

function validateReference(reference: JsonObject, at: FieldPath, apiGroup: ApiGroupRule): readonly FieldError[] {
  const problem = apiVersionProblem(reference, apiGroup);
  return [
    ...requiredText(reference, "kind", at, pathSegmentErrors),
    ...requiredText(reference, "name", at, pathSegmentErrors),
    ...(problem === undefined ? [] : [invalidValue(at.child("apiVersion"), stringField(reference, "apiVersion"), problem)]),
  ];
}

function apiVersionProblem(reference: JsonObject, apiGroup: ApiGroupRule): string | undefined {
  const apiVersion = stringField(reference, "apiVersion");
  if (apiGroup === "any") return undefined;
  if (apiVersion.split("/").length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const hasGroup = apiVersion.indexOf("/") > 0;
  return apiGroup === "required" && !hasGroup ? "apiVersion must specify API group" : undefined;
}

function validateRules(rules: JsonObject | undefined, at: FieldPath): readonly FieldError[] {
  if (rules === undefined) return [];
  const window = numberField(rules, "stabilizationWindowSeconds") ?? 0;
  const windowPath = at.child("stabilizationWindowSeconds");
  const policies = objectsField(rules, "policies");
  const isNegative = has(rules, "tolerance") && Quantity.parse(stringField(rules, "tolerance")).sign() < 0;
  return [
    ...(window < 0 ? [invalidValue(windowPath, window, "must be greater than or equal to zero")] : []),
    ...(window > longestWindow ? [invalidValue(windowPath, window, `must be less than or equal to ${longestWindow}`)] : []),
    ...optionalOneOf(rules, "selectPolicy", ["Disabled", "Max", "Min"], at),
    ...(policies.length === 0 ? [required(at.child("policies"), "must specify at least one Policy")] : []),
    ...eachItem(policies, at.child("policies"), validatePolicy),
    ...(isNegative ? [invalidValue(at.child("tolerance"), field(rules, "tolerance"), "must be greater than or equal to 0")] : []),
  ];
}

function validatePolicy(policy: JsonObject, at: FieldPath): readonly FieldError[] {
  const [type, value, period] = [stringField(policy, "type"), numberField(policy, "value") ?? 0, numberField(policy, "periodSeconds") ?? 0];
  return [
    ...(type === "Pods" || type === "Percent" ? [] : [notEnumerated(at.child("type"), type, ["Percent", "Pods"])]),
    ...(value <= 0 ? [invalidValue(at.child("value"), value, "must be greater than zero")] : []),
    ...(period <= 0 ? [invalidValue(at.child("periodSeconds"), period, "must be greater than zero")] : []),
    ...(period > longestPeriod ? [invalidValue(at.child("periodSeconds"), period, `must be less than or equal to ${longestPeriod}`)] : []),
  ];
}
