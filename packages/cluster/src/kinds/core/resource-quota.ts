import { FieldPath, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapField, mapPart } from "../field-defaults.ts";
import { objectField, objectsField, optionalObject, stringField, stringsField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import { defaultResourceList, resourceList } from "./resource-list.ts";
import { isQuotaResource, quotaResourceNameErrors, resourceAmountErrors } from "./resource-name.ts";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");

/** `ResourceQuota`: how much all objects of a namespace may ask for together. */
export const resourceQuotaDetails: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: (quota) => mapPart(mapPart(quota, "spec", defaultAmounts), "status", defaultAmounts),
    validateCreate: (quota) => [...finalizerNameErrors(quota), ...specErrors(quota)],
    validateUpdate: (quota, old) => [...metadataUpdateErrors(quota, old), ...specErrors(quota), ...scopeChangeErrors(quota, old)],
    warnings: (quota, old) => (old === undefined ? orderWarnings(objectField(quota, "spec")) : []),
  },
  status: {
    validateUpdate: (quota, old) => [...metadataUpdateErrors(quota, old), ...statusErrors(quota)],
  },
  columns: [
    nameColumn,
    { name: "Request", type: "string", description: "what is asked for, of how much", cell: (quota) => usage(quota, "requests") },
    { name: "Limit", type: "string", description: "what may be used, of how much", cell: (quota) => usage(quota, "limits") },
    ageColumn,
  ],
};

function defaultAmounts(part: JsonObject): JsonObject {
  return mapField(mapField(part, "hard", defaultResourceList), "used", defaultResourceList);
}

function usage(quota: DynamicObject, which: "requests" | "limits"): string {
  const status = objectField(quota, "status");
  const [hard, used] = [resourceList(optionalObject(status, "hard")), resourceList(optionalObject(status, "used"))];
  return [...hard]
    .filter(([name]) => name.startsWith("limits.") === (which === "limits"))
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, most]) => `${name}: ${used.get(name) ?? "0"}/${most}`)
    .join(", ");
}

function specErrors(quota: DynamicObject): readonly FieldError[] {
  const spec = objectField(quota, "spec");
  return [...amountErrors(spec, "hard", specPath), ...scopeErrors(spec), ...scopeSelectorErrors(spec)];
}

function statusErrors(quota: DynamicObject): readonly FieldError[] {
  const status = objectField(quota, "status");
  return [...amountErrors(status, "hard", statusPath), ...amountErrors(status, "used", statusPath)];
}

function amountErrors(part: JsonObject, list: string, path: FieldPath): readonly FieldError[] {
  return [...resourceList(optionalObject(part, list))].flatMap(([name, amount]) => {
    const at = path.child(list).key(name);
    return [...quotaResourceNameErrors(name, at), ...resourceAmountErrors(name, amount, at)];
  });
}

const scopes = [
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
  "VolumeAttributesClass",
  "CrossNamespacePodAffinity",
];
const contradictions = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

/** Which resources a scope can count. */
function counts(scope: string, resource: string): boolean {
  switch (scope) {
    case "Terminating":
    case "NotTerminating":
    case "NotBestEffort":
    case "PriorityClass":
    case "CrossNamespacePodAffinity":
      return resource === "pods" || /^((requests|limits)\.)?(cpu|memory)$/.test(resource);
    case "BestEffort":
      return resource === "pods";
    case "VolumeAttributesClass":
      return resource === "persistentvolumeclaims" || resource === "requests.storage";
    default:
      return true;
  }
}

function scopeErrors(spec: JsonObject): readonly FieldError[] {
  const given = stringsField(spec, "scopes");
  const path = specPath.child("scopes");
  const errors = given.flatMap((scope) => [
    ...(scopes.includes(scope) ? [] : [invalidValue(path, given, "unsupported scope")]),
    ...misapplied(scope, spec).map(() => invalidValue(path, given, "unsupported scope applied to resource")),
  ]);
  return [...errors, ...contradicting(given).map(() => invalidValue(path, given, "conflicting scopes"))];
}

function misapplied(scope: string, spec: JsonObject): readonly string[] {
  return Object.keys(objectField(spec, "hard")).filter((resource) => isQuotaResource(resource) && !counts(scope, resource));
}

function contradicting(given: readonly string[]): readonly (readonly string[])[] {
  return contradictions.filter((pair) => pair.every((scope) => given.includes(scope)));
}

function scopeSelectorErrors(spec: JsonObject): readonly FieldError[] {
  const selector = optionalObject(spec, "scopeSelector");
  if (selector === undefined) return [];
  const path = specPath.child("scopeSelector", "matchExpressions");
  const expressions = objectsField(selector, "matchExpressions");
  const errors = expressions.flatMap((expression) => {
    const scope = stringField(expression, "scopeName");
    return [
      ...(scopes.includes(scope) ? [] : [invalidValue(path.child("scopeName"), scope, "unsupported scope")]),
      ...misapplied(scope, spec).map(() => invalidValue(path, selectorForm(expressions), "unsupported scope applied to resource")),
      ...operatorErrors(scope, expression, path),
    ];
  });
  const given = expressions.map((expression) => stringField(expression, "scopeName"));
  return [...errors, ...contradicting(given).map(() => invalidValue(path, stringsField(spec, "scopes"), "conflicting scopes"))];
}

/** The server shows a selector in its internal form, whose fields are named as in Go and all there. */
function selectorForm(expressions: readonly JsonObject[]): JsonObject {
  const shown = expressions.map((each) => ({
    ScopeName: stringField(each, "scopeName"),
    Operator: stringField(each, "operator"),
    Values: stringsField(each, "values").length === 0 ? null : stringsField(each, "values"),
  }));
  return { MatchExpressions: shown };
}

function operatorErrors(scope: string, expression: JsonObject, path: FieldPath): readonly FieldError[] {
  const operator = stringField(expression, "operator");
  const values = stringsField(expression, "values");
  const errors: FieldError[] = [];
  if (
    ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"].includes(scope) &&
    operator !== "Exists"
  ) {
    const which =
      "ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(invalidValue(path.child("operator"), operator, `must be 'Exists' when scope is any of ${which}`));
  }
  if (operator === "In" || operator === "NotIn") {
    if (values.length > 0) return errors;
    return [...errors, required(path.child("values"), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length === 0) return errors;
    return [
      ...errors,
      invalidValue(path.child("values"), values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"),
    ];
  }
  return [...errors, invalidValue(path.child("operator"), operator, "not a valid selector operator")];
}

function scopeChangeErrors(quota: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const given = stringsField(objectField(quota, "spec"), "scopes");
  const [now, before] = [new Set(given), new Set(stringsField(objectField(old, "spec"), "scopes"))];
  const isSame = now.size === before.size && [...now].every((scope) => before.has(scope));
  return isSame ? [] : [invalidValue(specPath.child("scopes"), given.length === 0 ? null : given, "field is immutable")];
}

function orderWarnings(spec: JsonObject): readonly string[] {
  const hard = resourceList(optionalObject(spec, "hard"));
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((resource) => {
    const isBare = !hard.has(`requests.${resource}`) && (resource === "cpu" || resource === "memory");
    const [requestName, limitName] = [isBare ? resource : `requests.${resource}`, `limits.${resource}`];
    const [request, limit] = [hard.get(requestName), hard.get(limitName)];
    if (request === undefined || limit === undefined || request.compare(limit) <= 0) return [];
    return [`ResourceQuota ${requestName} (${request}) should be less than ${limitName} (${limit})`];
  });
}
