import { compileSelector } from "@kaji/core";
import type { DynamicObject, JsonObject, LabelSelectorRequirement } from "@kaji/core";
import { qosClassOf } from "../kinds/core/pod-qos.ts";
import { field, objectField, objectsField, stringField, stringsField } from "../kinds/json-fields.ts";
import { isTerminating } from "./quota-usage.ts";

/** Whether an object is in all the scopes of a quota; one without scopes has them all. */
export function isInScopes(quota: DynamicObject, plural: string, object: DynamicObject): boolean {
  const spec = objectField(quota, "spec");
  const scopes: readonly Scope[] = [
    ...stringsField(spec, "scopes").map((scope) => ({ scope, operator: "Exists", values: [] })),
    ...objectsField(objectField(spec, "scopeSelector"), "matchExpressions").map((expression) => ({
      scope: stringField(expression, "scopeName"),
      operator: stringField(expression, "operator"),
      values: stringsField(expression, "values"),
    })),
  ];
  return scopes.every((scope) => {
    if (plural === "pods") return isPodInScope(scope, objectField(object, "spec"), object);
    return plural === "persistentvolumeclaims" && isClaimInScope(scope, object);
  });
}

interface Scope {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

function isPodInScope({ scope, operator, values }: Scope, spec: JsonObject, pod: DynamicObject): boolean {
  switch (scope) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return qosClassOf(spec) === "BestEffort";
    case "NotBestEffort":
      return qosClassOf(spec) !== "BestEffort";
    case "PriorityClass": {
      const name = stringField(spec, "priorityClassName");
      return isNamed(scope, operator, values, name === "" ? [] : [name]);
    }
    case "CrossNamespacePodAffinity":
      return reachesOtherNamespaces(objectField(spec, "affinity"));
    default:
      return false;
  }
}

function isClaimInScope({ scope, operator, values }: Scope, claim: DynamicObject): boolean {
  if (scope !== "VolumeAttributesClass") return false;
  const status = objectField(claim, "status");
  const names = [
    stringField(objectField(claim, "spec"), "volumeAttributesClassName"),
    stringField(status, "currentVolumeAttributesClassName"),
    stringField(objectField(status, "modifyVolumeStatus"), "targetVolumeAttributesClassName"),
  ];
  return isNamed(
    scope,
    operator,
    values,
    names.filter((name) => name !== ""),
  );
}

/** Whether a scope such as `PriorityClass` selects one of the names, by the rules of label selectors. */
function isNamed(scope: string, operator: string, values: readonly string[], names: readonly string[]): boolean {
  const requirement = { key: scope, operator, values } as LabelSelectorRequirement;
  const selector = compileSelector({ matchExpressions: [requirement] });
  return names.length === 0 ? selector.matches({}) : names.some((name) => selector.matches({ [scope]: name }));
}

function reachesOtherNamespaces(affinity: JsonObject): boolean {
  const terms = ["podAffinity", "podAntiAffinity"].flatMap((name) => {
    const part = objectField(affinity, name);
    const preferred = objectsField(part, "preferredDuringSchedulingIgnoredDuringExecution");
    return [
      ...objectsField(part, "requiredDuringSchedulingIgnoredDuringExecution"),
      ...preferred.map((term) => objectField(term, "podAffinityTerm")),
    ];
  });
  return terms.some((term) => stringsField(term, "namespaces").length > 0 || field(term, "namespaceSelector") !== undefined);
}
