import { deducedSchema, openSchema } from "@kaji/apiserver";
import type { ApiPriority, Column, Kind, KindVersion } from "@kaji/apiserver";
import { Quantity, formatApiVersion } from "@kaji/core";
import type { DynamicObject, JsonObject, Resource } from "@kaji/core";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";
import { nameColumn } from "../kinds/name-and-age.ts";
import type { MeasuredUsage } from "./measured-usage.ts";
import { NodeMetrics, PodMetrics, metricsVersion } from "./resource-metrics.ts";

/** In which order clients should try the group: as metrics-server has it. */
export const metricsPriorities: Readonly<Record<string, ApiPriority>> = {
  [formatApiVersion(metricsVersion)]: { group: 100, version: 100 },
};

/** The kinds of `metrics.k8s.io`, whose objects are made when they are asked for. */
export function metricsKinds(usage: MeasuredUsage): readonly Kind[] {
  return [
    metricsKind(
      NodeMetrics,
      (_namespace, { clock }) => usage.nodeMetrics(clock.now()).map((metrics) => ({ ...metrics })),
      (metrics) => [objectField(metrics, "usage")],
    ),
    metricsKind(
      PodMetrics,
      (namespace, { clock }) => usage.podMetrics(namespace, clock.now()).map((metrics) => ({ ...metrics })),
      (metrics) => objectsField(metrics, "containers").map((container) => objectField(container, "usage")),
    ),
  ];
}

function metricsKind(
  { group, version, kind, plural, scope, listKind }: Resource,
  compute: NonNullable<KindVersion["compute"]>,
  usages: (metrics: DynamicObject) => readonly JsonObject[],
): Kind {
  return {
    group,
    kind,
    plural,
    singular: "",
    listKind,
    scope,
    shortNames: [],
    categories: [],
    storagePrefix: `/registry/${group}/${plural}/`,
    storageVersion: formatApiVersion({ group, version }),
    isCustom: false,
    verbs: ["get", "list"],
    versions: [
      {
        version,
        schema: openSchema,
        mergeSchema: deducedSchema,
        strategy: { generationOf: "none", resetFields: [] },
        columns: [nameColumn, usageColumn("cpu", usages), usageColumn("memory", usages), windowColumn],
        subresources: {},
        fromStorage: (stored) => stored,
        toStorage: (object) => object,
        compute,
      },
    ],
  };
}

function usageColumn(name: "cpu" | "memory", usages: (metrics: DynamicObject) => readonly JsonObject[]): Column {
  return {
    name,
    type: "string",
    format: "quantity",
    cell: (metrics) =>
      usages(metrics)
        .reduce((sum, usage) => sum.add(Quantity.parse(stringField(usage, name))), Quantity.zero)
        .toString(),
  };
}

const windowColumn: Column = { name: "Window", type: "string", format: "duration", cell: (metrics) => stringField(metrics, "window") };
