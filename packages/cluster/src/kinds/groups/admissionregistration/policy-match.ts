import { dns1035LabelErrors, dns1123SubdomainErrors, forbiddenField, invalidValue, pathSegmentErrors, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, withPresence } from "../../field-defaults.ts";
import { eachItem, invalidFor, oneOf, optionalOneOf } from "../../field-rules.ts";
import { has, objectField, objectsField, optionalObject, stringField, stringsField } from "../../json-fields.ts";
import { selectorErrors } from "../../selector-rules.ts";
import { defaultRules, validateNamedRule } from "./resource-rules.ts";

const mutatingOperations = ["*", "CONNECT", "CREATE", "UPDATE"];

/** Fills in which objects a policy, or a binding of one, is for. */
export function defaultMatch(parent: JsonObject, name: string): JsonObject {
  return mapField(parent, name, (match) =>
    defaultRules(
      withPresence(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} }),
      "resourceRules",
      "excludeResourceRules",
    ),
  );
}

/** What is wrong with the objects that are matched, where any are named. */
export function validateMatch(parent: JsonObject, name: string, path: FieldPath): readonly FieldError[] {
  const match = optionalObject(parent, name);
  if (match === undefined) return [];
  const at = path.child(name);
  return [
    ...optionalOneOf(match, "matchPolicy", ["Equivalent", "Exact"], at),
    ...selectorErrors(match, "namespaceSelector", at),
    ...selectorErrors(match, "objectSelector", at),
    ...eachItem(objectsField(match, "resourceRules"), at.child("resourceRules"), validateNamedRule),
    ...eachItem(objectsField(match, "excludeResourceRules"), at.child("excludeResourceRules"), validateNamedRule),
  ];
}

/** What is wrong with the objects that a policy matches, which it must name. */
export function validateConstraints(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const at = path.child("matchConstraints");
  if (!has(spec, "matchConstraints")) return [required(at)];
  const hasRules = objectsField(objectField(spec, "matchConstraints"), "resourceRules").length > 0;
  return [...validateMatch(spec, "matchConstraints", path), ...(hasRules ? [] : [required(at.child("resourceRules"))])];
}

/** Deletions cannot be changed. */
export function validateMutatingOperations(parent: JsonObject, name: string, path: FieldPath): readonly FieldError[] {
  const given = objectsField(objectField(parent, name), "resourceRules").flatMap((rule) => stringsField(rule, "operations"));
  const at = path.child(name, "resourceRules", "operations");
  return given
    .filter((operation) => !mutatingOperations.includes(operation))
    .map((operation) => notEnumerated(at, operation, mutatingOperations));
}

/** What is wrong with the kind of the parameters of a policy. */
export function validateParamKind(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const paramKind = optionalObject(spec, "paramKind");
  if (paramKind === undefined) return [];
  const at = path.child("paramKind");
  const kind = stringField(paramKind, "kind");
  return [
    ...validateApiVersion(stringField(paramKind, "apiVersion"), at.child("apiVersion")),
    ...(kind === "" ? [required(at.child("kind"))] : mixedCaseErrors(kind, at.child("kind"))),
  ];
}

function mixedCaseErrors(kind: string, path: FieldPath): readonly FieldError[] {
  const problems = dns1035LabelErrors(kind.toLowerCase());
  return problems.length === 0 ? [] : [invalidValue(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}

/** What is wrong with where a binding finds parameters. */
export function validateParamRef(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const reference = optionalObject(spec, "paramRef");
  if (reference === undefined) return [];
  const at = path.child("paramRef");
  const [name, hasSelector] = [stringField(reference, "name"), has(reference, "selector")];
  const isDouble = name !== "" && hasSelector;
  const rule = "name and selector are mutually exclusive";
  return [
    ...(name === "" ? [] : invalidFor(at.child("name"), name, pathSegmentErrors(name))),
    ...(isDouble ? [forbiddenField(at.child("name"), rule)] : []),
    ...selectorErrors(reference, "selector", at),
    ...(isDouble ? [forbiddenField(at.child("selector"), rule)] : []),
    ...(name === "" && !hasSelector ? [required(at, "one of name or selector must be specified")] : []),
    ...oneOf(stringField(reference, "parameterNotFoundAction"), ["Deny", "Allow"], at.child("parameterNotFoundAction")),
  ];
}

function validateApiVersion(apiVersion: string, path: FieldPath): readonly FieldError[] {
  if (apiVersion === "") return [required(path)];
  const parts = apiVersion.split("/");
  if (parts.length > 2) return [invalidValue(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group = "", version = ""] = parts.length === 1 ? ["", apiVersion] : parts;
  const ofGroup = group === "" ? [] : dns1123SubdomainErrors(group);
  const errors = ofGroup.length === 0 ? [] : [invalidValue(path, group, ofGroup.join(","))];
  if (version === "") return [...errors, invalidValue(path, apiVersion, "version must be specified")];
  const ofVersion = dns1035LabelErrors(version);
  return ofVersion.length === 0 ? errors : [...errors, invalidValue(path, version, ofVersion.join(","))];
}
