import { forbiddenField, invalidValue, labelValueErrors, required, validateLabelSelector } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { labelErrors, qualifiedErrors, subdomainErrors } from "../field-rules.ts";
import { has, numberField, objectField, objectsField, optionalObject, stringField, stringMapField, stringsField } from "../json-fields.ts";

const requiredRule = "requiredDuringSchedulingIgnoredDuringExecution";
const preferredRule = "preferredDuringSchedulingIgnoredDuringExecution";

/** What is wrong with which nodes and which other pods a pod wants to be near, or far from. */
export function validateAffinity(affinity: JsonObject, path: FieldPath): readonly FieldError[] {
  const node = optionalObject(affinity, "nodeAffinity");
  return [
    ...(node === undefined ? [] : validateNodeAffinity(node, path.child("nodeAffinity"))),
    ...["podAffinity", "podAntiAffinity"].flatMap((name) => {
      const pods = optionalObject(affinity, name);
      return pods === undefined ? [] : validatePodAffinity(pods, path.child(name));
    }),
  ];
}

function validateNodeAffinity(affinity: JsonObject, path: FieldPath): readonly FieldError[] {
  const selector = optionalObject(affinity, requiredRule);
  return [
    ...(selector === undefined ? [] : validateNodeSelector(selector, path.child(requiredRule))),
    ...objectsField(affinity, preferredRule).flatMap((term, index) => {
      const at = path.child(preferredRule).index(index);
      return [...weightErrors(term, at), ...validateTerm(objectField(term, "preference"), at.child("preference"), { checkValues: false })];
    }),
  ];
}

/** What is wrong with a choice of nodes. */
export function validateNodeSelector(selector: JsonObject, path: FieldPath): readonly FieldError[] {
  const at = path.child("nodeSelectorTerms");
  const terms = objectsField(selector, "nodeSelectorTerms");
  if (terms.length === 0) return [required(at, "must have at least one node selector term")];
  return terms.flatMap((term, index) => validateTerm(term, at.index(index), { checkValues: true }));
}

function validateTerm(term: JsonObject, path: FieldPath, options: { readonly checkValues: boolean }): readonly FieldError[] {
  const expressions = path.child("matchExpressions");
  const fields = path.child("matchFields");
  return [
    ...objectsField(term, "matchExpressions").flatMap((each, index) =>
      validateRequirement(each, expressions.index(index), options.checkValues),
    ),
    ...objectsField(term, "matchFields").flatMap((each, index) => validateFieldRequirement(each, fields.index(index))),
  ];
}

function validateRequirement(requirement: JsonObject, path: FieldPath, checkValues: boolean): readonly FieldError[] {
  const values = stringsField(requirement, "values");
  const errors = [...operatorErrors(stringField(requirement, "operator"), values, path)];
  errors.push(...qualifiedErrors(stringField(requirement, "key"), path.child("key")));
  if (!checkValues) return errors;
  const at = path.child("values");
  return [
    ...errors,
    ...values.flatMap((value, index) => labelValueErrors(value).map((problem) => invalidValue(at.index(index), value, problem))),
  ];
}

function operatorErrors(operator: string, values: readonly string[], path: FieldPath): readonly FieldError[] {
  const at = path.child("values");
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0 ? [] : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0 ? [] : [forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case "Gt":
    case "Lt":
      return values.length === 1 ? [] : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(path.child("operator"), operator, "not a valid selector operator")];
  }
}

function validateFieldRequirement(requirement: JsonObject, path: FieldPath): readonly FieldError[] {
  const operator = stringField(requirement, "operator");
  const values = stringsField(requirement, "values");
  const key = stringField(requirement, "key");
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn")
    errors.push(invalidValue(path.child("operator"), operator, "not a valid selector operator"));
  else if (values.length !== 1) {
    errors.push(required(path.child("values"), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  }
  if (key !== "metadata.name") return [...errors, invalidValue(path.child("key"), key, "not a valid field selector key")];
  return [...errors, ...values.flatMap((value, index) => subdomainErrors(value, path.child("values").index(index)))];
}

function validatePodAffinity(affinity: JsonObject, path: FieldPath): readonly FieldError[] {
  return [
    ...objectsField(affinity, requiredRule).flatMap((term, index) => validatePodTerm(term, path.child(requiredRule).index(index))),
    ...objectsField(affinity, preferredRule).flatMap((term, index) => {
      const at = path.child(preferredRule).index(index);
      return [...weightErrors(term, at), ...validatePodTerm(objectField(term, "podAffinityTerm"), at.child("podAffinityTerm"))];
    }),
  ];
}

function validatePodTerm(term: JsonObject, path: FieldPath): readonly FieldError[] {
  const topologyKey = stringField(term, "topologyKey");
  return [
    ...selectorErrors(term, "labelSelector", path),
    ...selectorErrors(term, "namespaceSelector", path),
    ...stringsField(term, "namespaces").flatMap((name) => labelErrors(name, path.child("namespace"))),
    ...validateLabelKeys(term, path),
    ...(topologyKey === "" ? [required(path.child("topologyKey"), "can not be empty")] : []),
    ...qualifiedErrors(topologyKey, path.child("topologyKey")),
  ];
}

/** What is wrong with a selector in a field, where it is there. */
export function selectorErrors(parent: JsonObject, name: string, path: FieldPath): readonly FieldError[] {
  const selector = optionalObject(parent, name);
  return selector === undefined ? [] : validateLabelSelector(selector, path.child(name));
}

/** What is wrong with the labels of its own that a pod compares with those of others. */
export function validateLabelKeys(term: JsonObject, path: FieldPath): readonly FieldError[] {
  const keys = stringsField(term, "matchLabelKeys");
  const others = stringsField(term, "mismatchLabelKeys");
  const selector = optionalObject(term, "labelSelector");
  const errors = ["matchLabelKeys", "mismatchLabelKeys"].flatMap((name) => keyErrors(stringsField(term, name), selector, path.child(name)));
  const known = new Set(Object.keys(stringMapField(selector, "matchLabels")));
  for (const expression of objectsField(selector, "matchExpressions")) {
    const key = stringField(expression, "key");
    const index = keys.lastIndexOf(key);
    if (index >= 0 && known.has(key)) errors.push(invalidValue(path.index(index), key, "exists in both matchLabelKeys and labelSelector"));
    known.add(key);
  }
  keys.forEach((key, index) => {
    if (!others.includes(key)) return;
    errors.push(invalidValue(path.child("matchLabelKeys").index(index), key, "exists in both matchLabelKeys and mismatchLabelKeys"));
  });
  return errors;
}

function keyErrors(keys: readonly string[], selector: JsonObject | undefined, path: FieldPath): readonly FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) return [forbiddenField(path, "must not be specified when labelSelector is not set")];
  return keys.flatMap((key, index) => qualifiedErrors(key, path.index(index)));
}

function weightErrors(term: JsonObject, path: FieldPath): readonly FieldError[] {
  const weight = has(term, "weight") ? (numberField(term, "weight") ?? 0) : 0;
  return weight > 0 && weight <= 100 ? [] : [invalidValue(path.child("weight"), weight, "must be in the range 1-100")];
}
