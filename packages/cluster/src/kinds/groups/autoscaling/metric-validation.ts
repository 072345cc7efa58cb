import { Quantity, dns1123LabelErrors, forbiddenField, invalidValue, pathSegmentErrors, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { containerResourceNameErrors } from "../../core/resource-name.ts";
import { eachItem, invalidFor } from "../../field-rules.ts";
import { field, has, numberField, objectField, objectsField, stringField } from "../../json-fields.ts";

const sourceTypes = ["ContainerResource", "External", "Object", "Pods", "Resource"];
/** Where each type of metric is described, in the order in which they are looked at. */
const fieldOfType: ReadonlyMap<string, string> = new Map([
  ["Object", "object"],
  ["External", "external"],
  ["Pods", "pods"],
  ["Resource", "resource"],
  ["ContainerResource", "containerResource"],
]);

/** Checks a reference to an object of which the version does not matter. */
export type ReferenceRule = (reference: JsonObject, path: FieldPath) => readonly FieldError[];

/** What is wrong with the metrics of an autoscaler. */
export function validateMetrics(spec: JsonObject, path: FieldPath, referenceRule: ReferenceRule): readonly FieldError[] {
  const metrics = objectsField(spec, "metrics");
  const errors = eachItem(metrics, path, (metric, at) => validateMetric(metric, at, referenceRule));
  const canBeZero = metrics.some((metric) => ["Object", "External"].includes(stringField(metric, "type")));
  if (numberField(spec, "minReplicas") !== 0 || canBeZero) return errors;
  return [...errors, forbiddenField(path, "must specify at least one Object or External metric to support scaling to zero replicas")];
}

function validateMetric(metric: JsonObject, path: FieldPath, referenceRule: ReferenceRule): readonly FieldError[] {
  const type = stringField(metric, "type");
  const present = [...fieldOfType.values()].filter((name) => has(metric, name));
  const [first] = present;
  const expected = fieldOfType.get(type);
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(path.child("type"), "must specify a metric source type"));
  if (expected === undefined) errors.push(notEnumerated(path.child("type"), type, sourceTypes));
  if (first !== undefined) errors.push(...validateSource(first, objectField(metric, first), path.child(first), referenceRule));
  if (expected === undefined) errors.push(notEnumerated(path.child("type"), type, sourceTypes));
  else if (!has(metric, expected)) errors.push(required(path.child(expected), "must populate information for the given metric source"));
  if (present.length === 1) return errors;
  const others = present.filter((name) => name !== expected);
  return [...errors, ...others.map((name) => forbiddenField(path.child(name), "must populate the given metric source only"))];
}

function validateSource(name: string, source: JsonObject, path: FieldPath, referenceRule: ReferenceRule): readonly FieldError[] {
  const target = objectField(source, "target");
  const at = path.child("target");
  const common = [
    ...(name.endsWith("esource") ? [] : validateIdentifier(objectField(source, "metric"), path.child("metric"))),
    ...validateTarget(target, at),
  ];
  const [hasValue, hasAverage, hasShare] = ["value", "averageValue", "averageUtilization"].map((key) => has(target, key));
  switch (name) {
    case "object": {
      const missing =
        hasValue === true || hasAverage === true
          ? []
          : [required(at.child("averageValue"), "must set either a target value or averageValue")];
      return [...referenceRule(objectField(source, "describedObject"), path.child("describedObject")), ...common, ...missing];
    }
    case "external":
      if (hasValue === true && hasAverage === true)
        return [...common, forbiddenField(at.child("value"), "may not set both a target value for metric and a per-pod target")];
      return hasValue === true || hasAverage === true
        ? common
        : [...common, required(at.child("averageValue"), "must set either a target value for metric or a per-pod target")];
    case "pods":
      return hasAverage === true ? common : [...common, required(at.child("averageValue"), "must specify a positive target averageValue")];
    default: {
      const both = [forbiddenField(at.child("averageValue"), "may not set both a target raw value and a target utilization")];
      const neither = [required(at.child("averageUtilization"), "must set either a target raw value or a target utilization")];
      const exclusive = hasShare === hasAverage ? (hasShare === true ? both : neither) : [];
      return [...validateResource(name, source, path), ...common, ...exclusive];
    }
  }
}

function validateResource(name: string, source: JsonObject, path: FieldPath): readonly FieldError[] {
  const [resource, container] = [stringField(source, "name"), stringField(source, "container")];
  const errors = resource === "" ? [required(path.child("name"), "must specify a resource name")] : [];
  if (name === "resource") return errors;
  return [
    ...errors,
    ...(resource === "" ? [] : containerResourceNameErrors(resource, path.child("name"))),
    ...(container === ""
      ? [required(path.child("container"), "must specify a container")]
      : invalidFor(path.child("container"), container, dns1123LabelErrors(container))),
  ];
}

function validateTarget(target: JsonObject, path: FieldPath): readonly FieldError[] {
  const type = stringField(target, "type");
  const share = numberField(target, "averageUtilization");
  return [
    ...(type === "" ? [required(path.child("type"), "must specify a metric target type")] : []),
    ...(["Utilization", "Value", "AverageValue"].includes(type)
      ? []
      : [invalidValue(path.child("type"), type, "must be either Utilization, Value, or AverageValue")]),
    ...["value", "averageValue"].flatMap((name) =>
      has(target, name) && Quantity.parse(stringField(target, name)).sign() !== 1
        ? [invalidValue(path.child(name), field(target, name), "must be positive")]
        : [],
    ),
    ...(share !== undefined && share < 1 ? [invalidValue(path.child("averageUtilization"), share, "must be greater than 0")] : []),
  ];
}

function validateIdentifier(metric: JsonObject, path: FieldPath): readonly FieldError[] {
  const name = stringField(metric, "name");
  return name === ""
    ? [required(path.child("name"), "must specify a metric name")]
    : invalidFor(path.child("name"), name, pathSegmentErrors(name));
}
