import type { StrategyContext } from "@kaji/apiserver";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { mapField, mapItems, mapPart, withField, withoutFields } from "../field-defaults.ts";
import { field, has, numberField, objectField, objectsField, optionalObject, stringField, stringsField } from "../json-fields.ts";
import { withAppArmorFields } from "./app-armor.ts";
import { withPodCondition } from "./pod-condition.ts";
import { qosClassOf } from "./pod-qos.ts";
import { containerLists } from "./pod-spec-defaults.ts";

/** A new pod as it is first stored: pending, and with what its own labels mean for where it may run. */
export function prepareNewPod(pod: DynamicObject, { nowMs, request }: StrategyContext): DynamicObject {
  const { labels = {} } = pod.metadata;
  const enabled = mapPart(pod, "spec", (spec) => withOwnLabels(withoutDisabledFields(spec), labels));
  const prepared = withAppArmorFields(enabled, request.warn);
  const spec = objectField(prepared, "spec");
  const status = { phase: "Pending", qosClass: qosClassOf(spec) };
  const gated = {
    type: "PodScheduled",
    status: "False",
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  } as const;
  const isGated = objectsField(spec, "schedulingGates").length > 0;
  return { ...prepared, status: isGated ? withPodCondition(status, gated, nowMs) : status };
}

/** What a server drops whose features are those that are on by default. */
export function withoutDisabledFields(given: JsonObject): JsonObject {
  let spec = has(given, "schedulingGroup") ? withoutFields(given, "schedulingGroup") : given;
  for (const list of containerLists) spec = mapItems(spec, list, withoutStopSignal);
  return mapItems(spec, "volumes", (volume) =>
    mapField(volume, "projected", (projected) =>
      mapItems(projected, "sources", (source) => withoutFields(source, "clusterTrustBundle", "podCertificate")),
    ),
  );
}

function withoutStopSignal(container: JsonObject): JsonObject {
  const lifecycle = optionalObject(container, "lifecycle");
  if (lifecycle === undefined || !has(lifecycle, "stopSignal")) return container;
  const rest = withoutFields(lifecycle, "stopSignal");
  return Object.keys(rest).length === 0 ? withoutFields(container, "lifecycle") : withField(container, "lifecycle", rest);
}

type Labels = Readonly<Record<string, string>>;

/** `matchLabelKeys` become conditions on the values that the pod has for these labels. */
function withOwnLabels(spec: JsonObject, labels: Labels): JsonObject {
  const spread = mapItems(spec, "topologySpreadConstraints", (constraint) => withKeys(constraint, labels));
  return mapField(spread, "affinity", (affinity) => {
    let result = affinity;
    for (const name of ["podAffinity", "podAntiAffinity"]) {
      result = mapField(result, name, (pods) => {
        const required = mapItems(pods, "requiredDuringSchedulingIgnoredDuringExecution", (term) => withKeys(term, labels));
        return mapItems(required, "preferredDuringSchedulingIgnoredDuringExecution", (weighted) =>
          mapField(weighted, "podAffinityTerm", (term) => withKeys(term, labels)),
        );
      });
    }
    return result;
  });
}

function withKeys(term: JsonObject, labels: Labels): JsonObject {
  const conditions = [
    ...stringsField(term, "matchLabelKeys").map((key) => ({ key, operator: "In" })),
    ...stringsField(term, "mismatchLabelKeys").map((key) => ({ key, operator: "NotIn" })),
  ].flatMap(({ key, operator }) => (Object.hasOwn(labels, key) ? [{ key, operator, values: [labels[key] ?? ""] }] : []));
  if (conditions.length === 0) return term;
  return mapField(term, "labelSelector", (selector) => ({
    ...selector,
    matchExpressions: [...objectsField(selector, "matchExpressions"), ...conditions],
  }));
}

/** A status that leaves out which generation it saw saw the one it saw before. */
export function keepObservedGenerations(status: JsonObject, old: JsonObject): JsonObject {
  const seen = Map.groupBy(objectsField(old, "conditions"), (condition) => stringField(condition, "type"));
  const conditions = objectsField(status, "conditions").map((condition) => {
    const before = seen.get(stringField(condition, "type"))?.shift();
    return withObserved(condition, before);
  });
  const observed = withObserved(status, old);
  return conditions.length === 0 ? observed : { ...observed, conditions };
}

function withObserved(object: JsonObject, before: JsonObject | undefined): JsonObject {
  const generation = field(before, "observedGeneration");
  if ((numberField(object, "observedGeneration") ?? 0) !== 0 || generation === undefined) return object;
  return { ...object, observedGeneration: generation };
}
