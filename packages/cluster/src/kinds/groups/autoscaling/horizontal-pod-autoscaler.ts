import type { Column } from "@kaji/apiserver";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { mapField, mapPart, withDefaults } from "../../field-defaults.ts";
import { has, listField, numberField, objectField, objectsField, specOf, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { cpuShare, toV1, toV2, withoutConverted } from "./autoscaler-conversion.ts";
import { validateAutoscaler, validateAutoscalerStatus } from "./autoscaler-validation.ts";

const shownMetrics = 2;
const defaultScaleUp: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const defaultScaleDown: JsonObject = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };

/** `HorizontalPodAutoscaler`: how many replicas something has, by what its pods use. */
export const autoscalerV2: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: (object) => mapPart(withoutConverted(object), "spec", defaultSpec),
    validateCreate: (object) => validateAutoscaler(object),
    validateUpdate: validateAutoscaler,
  },
  status: { validateUpdate: validateAutoscalerStatus },
  columns: columnsOf((object) => object),
};

/** The same in the older version, which knows the CPU only and keeps the rest in annotations. */
export const autoscalerV1: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: (object) => toV1(toV2(mapPart(object, "spec", (spec) => withDefaults(spec, { minReplicas: 1 })))),
    validateCreate: (object) => validateAutoscaler(toV2(object)),
    validateUpdate: (object, old) => validateAutoscaler(toV2(object), toV2(old)),
  },
  status: { validateUpdate: validateAutoscalerStatus },
  columns: columnsOf(toV2),
  fromStorage: toV1,
  toStorage: (object) => mapPart(toV2(object), "spec", defaultSpec),
};

function defaultSpec(spec: JsonObject): JsonObject {
  const complete = withDefaults(listField(spec, "metrics").length === 0 ? { ...spec, metrics: [cpuShare(80)] } : spec, { minReplicas: 1 });
  return mapField(complete, "behavior", (behavior) => ({
    scaleUp: { ...defaultScaleUp, ...objectField(behavior, "scaleUp") },
    scaleDown: { ...defaultScaleDown, ...objectField(behavior, "scaleDown") },
  }));
}

function columnsOf(asV2: (object: DynamicObject) => DynamicObject): readonly Column[] {
  return [
    nameColumn,
    {
      name: "Reference",
      type: "string",
      description: "what is scaled",
      cell: (object) => referenceText(objectField(specOf(object), "scaleTargetRef")),
    },
    {
      name: "Targets",
      type: "string",
      description: "what is measured, and what it should be",
      cell: (object) => metricsText(asV2(object)),
    },
    {
      name: "MinPods",
      type: "string",
      description: "the least replicas",
      cell: (object) => String(numberField(specOf(object), "minReplicas") ?? "<unset>"),
    },
    {
      name: "MaxPods",
      type: "string",
      description: "the most replicas",
      cell: (object) => numberField(specOf(object), "maxReplicas") ?? 0,
    },
    {
      name: "Replicas",
      type: "string",
      description: "the replicas now",
      cell: (object) => numberField(objectField(object, "status"), "currentReplicas") ?? 0,
    },
    ageColumn,
  ];
}

function referenceText(reference: JsonObject): string {
  return `${stringField(reference, "kind")}/${stringField(reference, "name")}`;
}

function metricsText(object: DynamicObject): string {
  const metrics = objectsField(specOf(object), "metrics");
  if (metrics.length === 0) return "<none>";
  const statuses = objectsField(objectField(object, "status"), "currentMetrics");
  const shown = metrics.slice(0, shownMetrics).map((metric, index) => metricText(metric, statuses[index] ?? {}));
  return metrics.length > shownMetrics ? `${shown.join(", ")} + ${metrics.length - shownMetrics} more...` : shown.join(", ");
}

function metricText(metric: JsonObject, status: JsonObject): string {
  const type = stringField(metric, "type");
  const name = type.slice(0, 1).toLowerCase() + type.slice(1);
  const [source, target] = [objectField(metric, name), objectField(objectField(metric, name), "target")];
  const current = objectField(objectField(status, name), "current");
  const isMeasured = has(status, name);
  const now = (key: string): string => (isMeasured && stringField(current, key)) || "<unknown>";
  switch (type) {
    case "Pods":
      return `${now("averageValue")}/${stringField(target, "averageValue")}`;
    case "Object":
    case "External":
      return has(target, "averageValue")
        ? `${now("averageValue")}/${stringField(target, "averageValue")} (avg)`
        : `${now("value")}/${stringField(target, "value")}`;
    case "Resource":
    case "ContainerResource": {
      if (has(target, "averageValue"))
        return `${stringField(source, "name")}: ${now("averageValue")}/${stringField(target, "averageValue")}`;
      const share = numberField(current, "averageUtilization");
      const wanted = numberField(target, "averageUtilization");
      return `${stringField(source, "name")}: ${share === undefined ? "<unknown>" : `${share}%`}/${wanted === undefined ? "<auto>" : `${wanted}%`}`;
    }
    default:
      return "<unknown type>";
  }
}
