import { duplicate, forbiddenField, invalidValue, notFoundValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { labelErrors } from "../field-rules.ts";
import { has, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { containerTotals, isHugePages } from "./pod-resources.ts";
import { resourceList } from "./resource-list.ts";
import type { ResourceList } from "./resource-list.ts";
import {
  containerResourceNameErrors,
  isOvercommittable,
  isWholePages,
  podResourceNameErrors,
  resourceAmountErrors,
} from "./resource-name.ts";

/** What is wrong with the resources of a container. */
export function validateContainerResources(resources: JsonObject, claims: readonly string[], path: FieldPath): readonly FieldError[] {
  return validateRequirements(resources, containerResourceNameErrors, claims, path);
}

/** What is wrong with the resources of a pod as a whole: its containers must fit into them. */
export function validatePodResources(spec: JsonObject, claims: readonly string[], specPath: FieldPath): readonly FieldError[] {
  const resources = optionalObject(spec, "resources");
  if (resources === undefined) return [];
  const path = specPath.child("resources");
  if (stringField(optionalObject(spec, "os"), "name") === "windows") return [forbiddenField(path, "may not be set for a windows pod")];
  const errors: FieldError[] = [];
  if (has(resources, "claims")) errors.push(forbiddenField(path.child("claims"), "claims may not be set for Resources at pod-level"));
  errors.push(...validateRequirements(resources, podResourceNameErrors, claims, path));
  errors.push(...containersTooLarge(spec, resources, path));
  return errors;
}

type NameRule = (name: string, path: FieldPath) => readonly FieldError[];

function validateRequirements(
  resources: JsonObject,
  nameErrors: NameRule,
  claims: readonly string[],
  path: FieldPath,
): readonly FieldError[] {
  const limits = resourceList(optionalObject(resources, "limits"));
  const requests = resourceList(optionalObject(resources, "requests"));
  const names = [...limits.keys(), ...requests.keys()];
  const onlyPages = names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory");
  return [
    ...amountErrors(limits, nameErrors, path.child("limits")),
    ...requestErrors(requests, limits, nameErrors, path),
    ...(onlyPages ? [forbiddenField(path, "HugePages require cpu or memory")] : []),
    ...claimErrors(objectsField(resources, "claims"), claims, path.child("claims")),
  ];
}

function amountErrors(amounts: ResourceList, nameErrors: NameRule, path: FieldPath): readonly FieldError[] {
  return [...amounts].flatMap(([name, amount]) => [
    ...nameErrors(name, path.key(name)),
    ...resourceAmountErrors(name, amount, path.key(name)),
    ...pageErrors(name, amounts, path),
  ]);
}

function requestErrors(requests: ResourceList, limits: ResourceList, nameErrors: NameRule, path: FieldPath): readonly FieldError[] {
  const at = path.child("requests");
  return [...requests].flatMap(([name, amount]) => {
    const errors = [...nameErrors(name, at.key(name)), ...resourceAmountErrors(name, amount, at.key(name))];
    const limit = limits.get(name);
    if (limit === undefined) {
      if (!isOvercommittable(name)) errors.push(required(path.child("limits"), "Limit must be set for non overcommitable resources"));
    } else if (!isOvercommittable(name) && !amount.equals(limit)) {
      errors.push(invalidValue(at, amount.toString(), `must be equal to ${name} limit of ${limit}`));
    } else if (amount.compare(limit) > 0) {
      errors.push(invalidValue(at, amount.toString(), `must be less than or equal to ${name} limit of ${limit}`));
    }
    return [...errors, ...pageErrors(name, requests, at)];
  });
}

function pageErrors(name: string, amounts: ResourceList, path: FieldPath): readonly FieldError[] {
  const amount = amounts.get(name);
  if (amount === undefined || !isHugePages(name) || isWholePages(name, amount)) return [];
  return [invalidValue(path.key(name), amount.toString(), `${amount} is not positive integer multiple of ${name}`)];
}

function claimErrors(claims: readonly JsonObject[], known: readonly string[], path: FieldPath): readonly FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap((claim, index) => {
    const at = path.index(index);
    const name = stringField(claim, "name");
    if (name === "") return [required(at)];
    const errors: FieldError[] = [];
    const request = stringField(claim, "request");
    const key = request === "" ? name : `${name}/${request}`;
    if (request !== "" && !seen.has(name)) errors.push(...labelErrors(request, at.child("request")));
    if (seen.has(name)) errors.push(duplicate(at, name));
    else if (seen.has(key)) errors.push(duplicate(at, key));
    else if (request === "") errors.push(...[...seen].filter((other) => other.startsWith(`${name}/`)).map(() => duplicate(at, name)));
    seen.add(key);
    if (!known.includes(name)) errors.push(unknownClaim(at, name, known));
    return errors;
  });
}

function unknownClaim(path: FieldPath, name: string, known: readonly string[]): FieldError {
  const error = notFoundValue(path, name);
  const which = known.length === 0 ? " which is empty" : `: ${known.toSorted().join(", ")}`;
  return { ...error, body: `${error.body}: must be one of the names in pod.spec.resourceClaims${which}` };
}

function containersTooLarge(spec: JsonObject, resources: JsonObject, path: FieldPath): readonly FieldError[] {
  const limits = resourceList(optionalObject(resources, "limits"));
  const requests = resourceList(optionalObject(resources, "requests"));
  const errors: FieldError[] = [];
  for (const [name, total] of containerTotals(spec, "requests")) {
    const own = requests.get(name);
    if (own === undefined || total.compare(own) <= 0) continue;
    const rule = `must be greater than or equal to aggregate container requests of ${total}`;
    errors.push(invalidValue(path.child("requests").key(name), own.toString(), rule));
  }
  for (const [name, total] of containerTotals(spec, "limits")) {
    const own = limits.get(name);
    if (!isHugePages(name) || own === undefined || total.compare(own) <= 0) continue;
    const rule = `must be greater than or equal to aggregate container limits of ${total}`;
    errors.push(invalidValue(path.child("limits").key(name), own.toString(), rule));
  }
  for (const [index, container] of objectsField(spec, "containers").entries()) {
    for (const [name, limit] of resourceList(optionalObject(optionalObject(container, "resources"), "limits"))) {
      const own = limits.get(name);
      if (own === undefined || limit.compare(own) <= 0) continue;
      const at = path.child("containers").index(index).key(name).child("limits");
      errors.push(invalidValue(at, limit.toString(), `must be less than or equal to pod limits of ${own}`));
    }
  }
  return errors;
}
