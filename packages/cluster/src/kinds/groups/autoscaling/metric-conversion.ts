import type { JsonObject, JsonValue } from "@kaji/core";
import { field, has, objectField, optionalObject, stringField } from "../../json-fields.ts";

/** A metric as `autoscaling/v2` has it, in the words of `autoscaling/v1`, which keeps it in an annotation. */
export function metricToV1(metric: JsonObject): JsonObject {
  return toV1(metric, "target");
}

/** What was measured, as `autoscaling/v1` has it. */
export function metricStatusToV1(status: JsonObject): JsonObject {
  return toV1(status, "current");
}

/** The metric back in the words of `autoscaling/v2`. */
export function metricFromV1(metric: JsonObject): JsonObject {
  const object = optionalObject(metric, "object");
  const pods = optionalObject(metric, "pods");
  const external = optionalObject(metric, "external");
  return defined({
    type: stringField(metric, "type"),
    object: object && {
      describedObject: objectField(object, "target"),
      target: objectTarget(object),
      metric: identifier(object, "selector"),
    },
    pods: pods && {
      metric: identifier(pods, "selector"),
      target: { type: "AverageValue", averageValue: field(pods, "targetAverageValue") },
    },
    resource: resourceFromV1(optionalObject(metric, "resource")),
    containerResource: resourceFromV1(optionalObject(metric, "containerResource")),
    external: external && {
      metric: identifier(external, "metricSelector"),
      target: {
        type: has(external, "targetValue") ? "Value" : "AverageValue",
        value: field(external, "targetValue"),
        averageValue: field(external, "targetAverageValue"),
      },
    },
  });
}

/** What was measured, back in the words of `autoscaling/v2`. */
export function metricStatusFromV1(status: JsonObject): JsonObject {
  const object = optionalObject(status, "object");
  const pods = optionalObject(status, "pods");
  const external = optionalObject(status, "external");
  return defined({
    type: stringField(status, "type"),
    object: object && {
      metric: identifier(object, "selector"),
      current: { value: field(object, "currentValue"), averageValue: field(object, "averageValue") },
      describedObject: objectField(object, "target"),
    },
    pods: pods && { metric: identifier(pods, "selector"), current: { averageValue: field(pods, "currentAverageValue") } },
    resource: resourceStatusFromV1(optionalObject(status, "resource")),
    containerResource: resourceStatusFromV1(optionalObject(status, "containerResource")),
    external: external && {
      metric: identifier(external, "metricSelector"),
      current: { value: field(external, "currentValue"), averageValue: field(external, "currentAverageValue") },
    },
  });
}

function toV1(metric: JsonObject, which: "target" | "current"): JsonObject {
  const object = optionalObject(metric, "object");
  const pods = optionalObject(metric, "pods");
  const external = optionalObject(metric, "external");
  return defined({
    type: stringField(metric, "type"),
    object: object && {
      target: reference(objectField(object, "describedObject")),
      metricName: metricName(object),
      [`${which}Value`]: field(objectField(object, which), "value") ?? "0",
      selector: metricSelector(object),
      averageValue: field(objectField(object, which), "averageValue"),
    },
    pods: pods && {
      metricName: metricName(pods),
      [`${which}AverageValue`]: field(objectField(pods, which), "averageValue") ?? "0",
      selector: metricSelector(pods),
    },
    resource: resourceToV1(optionalObject(metric, "resource"), which),
    containerResource: resourceToV1(optionalObject(metric, "containerResource"), which),
    external: external && {
      metricName: metricName(external),
      metricSelector: metricSelector(external),
      [`${which}Value`]: field(objectField(external, which), "value") ?? zeroUnlessTarget(which),
      [`${which}AverageValue`]: field(objectField(external, which), "averageValue"),
    },
  });
}

/** What was measured is a number always; what is aimed at may be left open. */
function zeroUnlessTarget(which: "target" | "current"): string | undefined {
  return which === "target" ? undefined : "0";
}

type Unfinished = { readonly [key: string]: JsonValue | Unfinished | undefined };

/** The fields that are there, all the way down. */
function defined(fields: Unfinished): JsonObject {
  return JSON.parse(JSON.stringify(fields)) as JsonObject;
}

function metricName(source: JsonObject): string {
  return stringField(objectField(source, "metric"), "name");
}

function metricSelector(source: JsonObject): JsonValue | undefined {
  return field(objectField(source, "metric"), "selector");
}

function identifier(source: JsonObject, selector: string): Unfinished {
  return { name: stringField(source, "metricName"), selector: field(source, selector) };
}

function reference(described: JsonObject): Unfinished {
  return { kind: stringField(described, "kind"), name: stringField(described, "name"), apiVersion: field(described, "apiVersion") };
}

function objectTarget(object: JsonObject): Unfinished {
  const [value, averageValue] = [field(object, "targetValue"), field(object, "averageValue")];
  if (averageValue === undefined) return { type: "Value", value };
  return { type: "AverageValue", value: value === "0" ? undefined : value, averageValue };
}

function resourceToV1(resource: JsonObject | undefined, which: "target" | "current"): Unfinished | undefined {
  if (resource === undefined) return undefined;
  const { averageUtilization, averageValue } = objectField(resource, which);
  return {
    name: stringField(resource, "name"),
    [`${which}AverageUtilization`]: averageUtilization ?? undefined,
    [`${which}AverageValue`]: averageValue ?? zeroUnlessTarget(which),
    container: field(resource, "container"),
  };
}

function resourceFromV1(resource: JsonObject | undefined): Unfinished | undefined {
  if (resource === undefined) return undefined;
  const utilization = field(resource, "targetAverageUtilization");
  return {
    name: stringField(resource, "name"),
    target: {
      type: utilization === undefined ? "AverageValue" : "Utilization",
      averageValue: field(resource, "targetAverageValue"),
      averageUtilization: utilization,
    },
    container: field(resource, "container"),
  };
}

function resourceStatusFromV1(resource: JsonObject | undefined): Unfinished | undefined {
  if (resource === undefined) return undefined;
  const current = {
    averageValue: field(resource, "currentAverageValue"),
    averageUtilization: field(resource, "currentAverageUtilization"),
  };
  return { name: stringField(resource, "name"), current, container: field(resource, "container") };
}
