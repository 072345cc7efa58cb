import { isJsonArray, isJsonObject, parseJson } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { internalForm } from "../../internal-form.ts";
import { field, has, numberField, objectField, objectsField, stringField } from "../../json-fields.ts";
import { metricFromV1, metricStatusFromV1, metricStatusToV1, metricToV1 } from "./metric-conversion.ts";

const prefix = "autoscaling.alpha.kubernetes.io/";
/** What `autoscaling/v1` has no fields for, it keeps in these. */
const annotationNames = {
  metrics: `${prefix}metrics`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
  behavior: `${prefix}behavior`,
};
const droppedAnnotations = [...Object.values(annotationNames), `${prefix}scale-down-tolerance`, `${prefix}scale-up-tolerance`];
const usualCpuPercent = 80;

/** An autoscaler of `autoscaling/v2` as `autoscaling/v1`: the CPU has a field, everything else goes into annotations. */
export function toV1(object: DynamicObject): DynamicObject {
  const [spec, status] = [objectField(object, "spec"), objectField(object, "status")];
  const metrics = objectsField(spec, "metrics");
  const cpu = metrics.find(isCpuShare);
  const percent = cpu === undefined ? undefined : numberField(objectField(objectField(cpu, "resource"), "target"), "averageUtilization");
  const current = objectsField(status, "currentMetrics");
  return {
    ...object,
    apiVersion: "autoscaling/v1",
    metadata: withAnnotations(object.metadata, {
      [annotationNames.metrics]: listText(metrics.filter((metric) => !isCpuShare(metric)).map(metricToV1)),
      [annotationNames.currentMetrics]: listText(current.map(metricStatusToV1)),
      [annotationNames.behavior]: has(spec, "behavior")
        ? JSON.stringify(internalForm("autoscaling.v2.HorizontalPodAutoscalerBehavior", objectField(spec, "behavior")))
        : undefined,
      [annotationNames.conditions]: listText(objectsField(status, "conditions").map(conditionToV1)),
    }),
    spec: {
      ...pick(spec, "scaleTargetRef", "minReplicas", "maxReplicas"),
      ...(percent === undefined ? {} : { targetCPUUtilizationPercentage: percent }),
    },
    status: {
      ...pick(status, "observedGeneration", "lastScaleTime"),
      currentReplicas: numberField(status, "currentReplicas") ?? 0,
      desiredReplicas: numberField(status, "desiredReplicas") ?? 0,
      ...currentCpu(current),
    },
  };
}

/** The same autoscaler as `autoscaling/v2`. */
export function toV2(object: DynamicObject): DynamicObject {
  const [spec, status] = [objectField(object, "spec"), objectField(object, "status")];
  const annotations = object.metadata.annotations ?? {};
  const others = annotatedList(annotations[annotationNames.metrics])?.map(metricFromV1) ?? [];
  const percent = numberField(spec, "targetCPUUtilizationPercentage");
  const metrics = [...others, ...(percent === undefined ? [] : [cpuShare(percent)])];
  const behavior = annotatedBehavior(annotations[annotationNames.behavior]);
  const conditions = annotatedList(annotations[annotationNames.conditions]);
  return {
    ...object,
    apiVersion: "autoscaling/v2",
    metadata: withAnnotations(object.metadata, {}),
    spec: {
      ...pick(spec, "scaleTargetRef", "minReplicas", "maxReplicas"),
      metrics: metrics.length === 0 ? [cpuShare(usualCpuPercent)] : metrics,
      ...(behavior === undefined ? {} : { behavior }),
    },
    status: {
      ...pick(status, "observedGeneration", "lastScaleTime"),
      ...(numberField(status, "currentReplicas") === 0 ? {} : pick(status, "currentReplicas")),
      desiredReplicas: numberField(status, "desiredReplicas") ?? 0,
      currentMetrics: currentMetrics(status, annotations[annotationNames.currentMetrics]),
      ...(conditions === undefined ? {} : { conditions }),
    },
  };
}

/** The share of the CPU that pods should use, as a metric. */
export function cpuShare(percent: number): JsonObject {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: percent } } };
}

/** An object without the annotations that stand for fields of another version. */
export function withoutConverted(object: DynamicObject): DynamicObject {
  const isConverted = droppedAnnotations.some((name) => object.metadata.annotations?.[name] !== undefined);
  return isConverted ? { ...object, metadata: withAnnotations(object.metadata, {}) } : object;
}

function isCpuShare(metric: JsonObject): boolean {
  const resource = objectField(metric, "resource");
  return (
    stringField(metric, "type") === "Resource" &&
    stringField(resource, "name") === "cpu" &&
    has(objectField(resource, "target"), "averageUtilization")
  );
}

function withAnnotations(
  metadata: DynamicObject["metadata"],
  added: Readonly<Record<string, string | undefined>>,
): DynamicObject["metadata"] {
  const { annotations: given, ...rest } = metadata;
  const kept = Object.entries(given ?? {}).filter(([name]) => !droppedAnnotations.includes(name));
  const all = [...kept, ...Object.entries(added).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))];
  return all.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(all) };
}

function currentCpu(current: readonly JsonObject[]): JsonObject {
  const percents = current
    .filter((metric) => stringField(metric, "type") === "Resource" && stringField(objectField(metric, "resource"), "name") === "cpu")
    .flatMap((metric) => numberField(objectField(objectField(metric, "resource"), "current"), "averageUtilization") ?? []);
  const percent = percents.at(-1);
  return percent === undefined ? {} : { currentCPUUtilizationPercentage: percent };
}

function currentMetrics(status: JsonObject, annotation: string | undefined): JsonValue {
  const annotated = annotatedList(annotation)?.map(metricStatusFromV1);
  if (annotated !== undefined) return annotated;
  const percent = numberField(status, "currentCPUUtilizationPercentage");
  return percent === undefined ? null : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: percent } } }];
}

function conditionToV1(condition: JsonObject): JsonObject {
  return {
    ...pick(condition, "type", "status"),
    lastTransitionTime: field(condition, "lastTransitionTime") ?? null,
    ...pick(condition, "reason", "message"),
  };
}

function listText(items: readonly JsonObject[]): string | undefined {
  return items.length === 0 ? undefined : JSON.stringify(items);
}

/** What an annotation holds; one that makes no sense holds nothing. */
function annotated(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

function annotatedList(text: string | undefined): readonly JsonObject[] | undefined {
  const value = annotated(text);
  return isJsonArray(value) ? value.map((item) => (isJsonObject(item) ? item : {})) : undefined;
}

/** Behaviour is kept with the names that fields have inside the real server. */
function annotatedBehavior(text: string | undefined): JsonObject | undefined {
  const value = annotated(text);
  const behavior = isJsonObject(value) ? withJsonNames(value) : {};
  return isJsonObject(behavior) && Object.keys(behavior).length > 0 ? behavior : undefined;
}

function withJsonNames(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withJsonNames);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, item]) =>
    item === null || item === undefined ? [] : [[name.replace(/^[A-Z]/, (letter) => letter.toLowerCase()), withJsonNames(item)] as const],
  );
  return Object.fromEntries(entries);
}

function pick(fields: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (!has(fields, name) ? [] : [[name, fields[name]] as const])));
}
