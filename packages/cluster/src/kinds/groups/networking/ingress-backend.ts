import { dns1123LabelErrors, dns1123SubdomainErrors, invalidValue, pathSegmentErrors, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { eachItem, invalidFor, requiredText } from "../../field-rules.ts";
import { has, numberField, objectField, objectsField, stringField } from "../../json-fields.ts";
import { portNameProblems, portNumberProblems } from "../../scalar-rules.ts";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];
const forbiddenParts = ["//", "/./", "/../", "%2f", "%2F"];
const forbiddenEnds = ["/..", "/."];

/** What is wrong with the paths of a rule, and with where they lead. */
export function validateHttpRule(http: JsonObject, path: FieldPath): readonly FieldError[] {
  const paths = objectsField(http, "paths");
  if (paths.length === 0) return [required(path.child("paths"))];
  return eachItem(paths, path.child("paths"), validatePath);
}

/** What is wrong with where requests are sent. */
export function validateBackend(backend: JsonObject, path: FieldPath): readonly FieldError[] {
  const hasService = has(backend, "service");
  if (!has(backend, "resource")) {
    return hasService
      ? validateService(objectField(backend, "service"), path)
      : [invalidValue(path, "", "resource or service backend is required")];
  }
  if (hasService) return [invalidValue(path, "", "cannot set both resource and service backends")];
  const resource = objectField(backend, "resource");
  const group = stringField(resource, "apiGroup");
  const at = path.child("resource");
  return [
    ...(has(resource, "apiGroup") ? invalidFor(at.child("apiGroup"), group, dns1123SubdomainErrors(group)) : []),
    ...requiredText(resource, "kind", at, pathSegmentErrors),
    ...requiredText(resource, "name", at, pathSegmentErrors),
  ];
}

function validatePath(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  if (!has(rule, "pathType")) return [required(path.child("pathType"), "pathType must be specified")];
  const [type, text, at] = [stringField(rule, "pathType"), stringField(rule, "path"), path.child("path")];
  const errors: FieldError[] = [];
  const isExact = type === "Exact" || type === "Prefix";
  if (!pathTypes.includes(type)) errors.push(notEnumerated(path.child("pathType"), type, pathTypes));
  else if (!text.startsWith("/") && (isExact || text !== "")) errors.push(invalidValue(at, text, "must be an absolute path"));
  if (isExact) {
    for (const part of forbiddenParts) if (text.includes(part)) errors.push(invalidValue(at, text, `must not contain '${part}'`));
    for (const end of forbiddenEnds) if (text.endsWith(end)) errors.push(invalidValue(at, text, `cannot end with '${end}'`));
  }
  return [...errors, ...validateBackend(objectField(rule, "backend"), path.child("backend"))];
}

function validateService(service: JsonObject, path: FieldPath): readonly FieldError[] {
  const port = objectField(service, "port");
  const [name, number] = [stringField(port, "name"), numberField(port, "number") ?? 0];
  const errors = requiredText(service, "name", path.child("service"), dns1123LabelErrors);
  const portPath = path.child("service", "port");
  if (name !== "" && number !== 0) return [...errors, invalidValue(path, "", "cannot set both port name & port number")];
  if (name !== "") return [...errors, ...invalidFor(portPath.child("name"), name, portNameProblems(name))];
  if (number !== 0) return [...errors, ...invalidFor(portPath.child("number"), number, portNumberProblems(number))];
  return [...errors, required(path, "port name or number is required")];
}
