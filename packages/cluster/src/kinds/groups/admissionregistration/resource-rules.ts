import { duplicate, invalidValue, pathSegmentErrors, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapItems, withPresence } from "../../field-defaults.ts";
import { invalidFor, optionalOneOf, starAloneErrors } from "../../field-rules.ts";
import { stringsField } from "../../json-fields.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

/** Rules are for all scopes unless they say otherwise. */
export function defaultRules(parent: JsonObject, ...names: readonly string[]): JsonObject {
  return names.reduce((sum, name) => mapItems(sum, name, (rule) => withPresence(rule, { scope: "*" })), parent);
}

/** What is wrong with a rule that says which requests are meant. */
export function validateRule(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  return [
    ...validateOperations(rule, path),
    ...validateVersions(rule, path),
    ...validateResources(stringsField(rule, "resources"), path.child("resources")),
    ...optionalOneOf(rule, "scope", ["*", "Cluster", "Namespaced"], path),
  ];
}

/** What is wrong with a rule that may also name objects. */
export function validateNamedRule(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  const names = stringsField(rule, "resourceNames");
  const ofNames = names.flatMap((name, index) => {
    const at = path.child("resourceNames").index(index);
    return [...invalidFor(at, name, pathSegmentErrors(name)), ...(names.indexOf(name) < index ? [duplicate(at, name)] : [])];
  });
  return [...ofNames, ...validateRule(rule, path)];
}

function validateOperations(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  const given = stringsField(rule, "operations");
  const at = path.child("operations");
  return [
    ...(given.length === 0 ? [required(at)] : []),
    ...starAloneErrors(given, at, "operations"),
    ...given.flatMap((operation, index) => (operations.includes(operation) ? [] : [notEnumerated(at.index(index), operation, operations)])),
  ];
}

function validateVersions(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  const [groups, versions] = [stringsField(rule, "apiGroups"), stringsField(rule, "apiVersions")];
  const at = path.child("apiVersions");
  return [
    ...(groups.length === 0 ? [required(path.child("apiGroups"))] : []),
    ...starAloneErrors(groups, path.child("apiGroups"), "API groups"),
    ...(versions.length === 0 ? [required(at)] : []),
    ...starAloneErrors(versions, at, "API versions"),
    ...versions.flatMap((version, index) => (version === "" ? [required(at.index(index))] : [])),
  ];
}

function validateResources(resources: readonly string[], path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [required(path)] : [];
  const [wholeResources, wholeSubresources] = [new Set<string>(), new Set<string>()];
  let isLastPlain = false;
  for (const [index, text] of resources.entries()) {
    if (text === "") {
      errors.push(required(path.index(index)));
      continue;
    }
    const slash = text.indexOf("/");
    if (slash < 0) {
      isLastPlain = text !== "*";
      continue;
    }
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    if (wholeResources.has(resource))
      errors.push(invalidValue(path.index(index), text, `if '${resource}/*' is present, must not specify ${text}`));
    if (wholeSubresources.has(subresource))
      errors.push(invalidValue(path.index(index), text, `if '*/${subresource}' is present, must not specify ${text}`));
    if (subresource === "*") wholeResources.add(resource);
    if (resource === "*") wholeSubresources.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*"))
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes("*") && isLastPlain) {
    errors.push(invalidValue(path, resources, "if '*' is present, must not specify other resources without subresources"));
  }
  return errors;
}
