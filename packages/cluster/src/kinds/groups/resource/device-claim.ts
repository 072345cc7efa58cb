import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicate,
  invalidValue,
  labelValueErrors,
  qualifiedNameErrors,
  required,
  tooLong,
  tooMany,
} from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapItems, withDefaults, withZeroDefaults } from "../../field-defaults.ts";
import { eachItem, invalidFor, optionalOneOf, requiredText } from "../../field-rules.ts";
import { has, numberField, objectField, objectsField, optionalObject, stringField, stringsField } from "../../json-fields.ts";
import { validateDriverName } from "../storage/csi.ts";

const mostRequests = 32;
const mostAlternatives = 8;
const mostSelectors = 32;
const mostConstraints = 32;
const mostConfigs = 32;
const longestExpression = 10 * 1024;
const longestId = 32;

/** Fills in how many devices are asked for. */
export function defaultDeviceClaim(spec: JsonObject): JsonObject {
  return mapField(spec, "devices", (devices) =>
    mapItems(devices, "requests", (request) => mapItems(mapField(request, "exactly", defaultRequest), "firstAvailable", defaultRequest)),
  );
}

/** What is wrong with the devices that are asked for. */
export function validateDeviceClaim(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const devices = objectField(spec, "devices");
  const at = path.child("devices");
  const names = requestNames(devices);
  return [
    ...validateNamed(objectsField(devices, "requests"), at.child("requests"), mostRequests, validateRequest),
    ...limited(objectsField(devices, "constraints"), at.child("constraints"), mostConstraints, (constraint, each) =>
      validateConstraint(constraint, each, names),
    ),
    ...limited(objectsField(devices, "config"), at.child("config"), mostConfigs, (config, each) => [
      ...validateReferences(stringsField(config, "requests"), each.child("requests"), names),
      ...validateConfiguration(config, each),
    ]),
  ];
}

/** What is wrong with expressions that devices must meet. */
export function validateSelectors(parent: JsonObject, path: FieldPath): readonly FieldError[] {
  return limited(objectsField(parent, "selectors"), path.child("selectors"), mostSelectors, (selector, at) => {
    const cel = optionalObject(selector, "cel");
    if (cel === undefined) return [required(at.child("cel"))];
    const isLong = Buffer.byteLength(stringField(cel, "expression")) > longestExpression;
    return isLong ? [tooLong(at.child("cel", "expression"), longestExpression)] : [];
  });
}

/** What is wrong with what a driver is told about a device. */
export function validateConfiguration(config: JsonObject, path: FieldPath): readonly FieldError[] {
  const opaque = optionalObject(config, "opaque");
  const at = path.child("opaque");
  if (opaque === undefined) return [required(at)];
  const isOther = has(opaque, "parameters") && optionalObject(opaque, "parameters") === undefined;
  return [
    ...validateDriverName(stringField(opaque, "driver"), at.child("driver")),
    ...(has(opaque, "parameters") ? [] : [required(at.child("parameters"))]),
    ...(isOther ? [invalidValue(at.child("parameters"), "<value omitted>", "must be a valid JSON object")] : []),
  ];
}

/** Checks the items of a list, unless there are too many of them. */
export function limited(
  items: readonly JsonObject[],
  path: FieldPath,
  most: number,
  validate: (item: JsonObject, path: FieldPath) => readonly FieldError[],
): readonly FieldError[] {
  return items.length > most ? [tooMany(path, items.length, most)] : eachItem(items, path, validate);
}

/** Checks the items of a list in which each name may be there once. */
export function validateNamed(
  items: readonly JsonObject[],
  path: FieldPath,
  most: number,
  validate: (item: JsonObject, path: FieldPath) => readonly FieldError[],
): readonly FieldError[] {
  const names = items.map((item) => stringField(item, "name"));
  if (items.length > most) return [tooMany(path, items.length, most)];
  return [
    ...eachItem(items, path, validate),
    ...names.flatMap((name, index) => (names.indexOf(name) < index ? [duplicate(path.index(index), name)] : [])),
  ];
}

function defaultRequest(request: JsonObject): JsonObject {
  const tolerating = mapItems(request, "tolerations", (toleration) => withDefaults(toleration, { operator: "Equal" }));
  const withMode = withDefaults(tolerating, { allocationMode: "ExactCount" });
  return withMode["allocationMode"] === "ExactCount" ? withZeroDefaults(withMode, { count: 1 }) : withMode;
}

function validateRequest(request: JsonObject, path: FieldPath): readonly FieldError[] {
  const name = stringField(request, "name");
  const errors = invalidFor(path.child("name"), name, dns1123LabelErrors(name));
  const alternatives = objectsField(request, "firstAvailable");
  const exactly = optionalObject(request, "exactly");
  if (exactly === undefined && alternatives.length === 0)
    return [...errors, required(path, "exactly one of `exactly` or `firstAvailable` is required")];
  if (exactly === undefined)
    return [...errors, ...validateNamed(alternatives, path.child("firstAvailable"), mostAlternatives, validateAlternative)];
  if (alternatives.length === 0) return [...errors, ...validateExact(exactly, path.child("exactly"))];
  return [...errors, invalidValue(path, null, "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set")];
}

function validateAlternative(request: JsonObject, path: FieldPath): readonly FieldError[] {
  const name = stringField(request, "name");
  return [...invalidFor(path.child("name"), name, dns1123LabelErrors(name)), ...validateExact(request, path)];
}

function validateExact(request: JsonObject, path: FieldPath): readonly FieldError[] {
  return [
    ...requiredText(request, "deviceClassName", path, dns1123SubdomainErrors),
    ...validateSelectors(request, path),
    ...validateCount(request, path),
    ...eachItem(objectsField(request, "tolerations"), path.child("tolerations"), validateToleration),
  ];
}

function validateCount(request: JsonObject, path: FieldPath): readonly FieldError[] {
  const [mode, count] = [stringField(request, "allocationMode"), numberField(request, "count") ?? 0];
  switch (mode) {
    case "All":
      return count === 0 ? [] : [invalidValue(path.child("count"), count, "must not be specified when allocationMode is 'All'")];
    case "ExactCount":
      return count > 0 ? [] : [invalidValue(path.child("count"), count, "must be greater than zero")];
    default:
      return [notEnumerated(path.child("allocationMode"), mode, ["All", "ExactCount"])];
  }
}

function validateToleration(toleration: JsonObject, path: FieldPath): readonly FieldError[] {
  const [key, operator, value] = [stringField(toleration, "key"), stringField(toleration, "operator"), stringField(toleration, "value")];
  const errors = key === "" ? [] : [...invalidFor(path.child("key"), key, qualifiedNameErrors(key))];
  if (operator === "Equal") errors.push(...invalidFor(path.child("value"), value, labelValueErrors(value)));
  else if (operator !== "Exists") errors.push(notEnumerated(path.child("operator"), operator, ["Equal", "Exists"]));
  else if (value !== "") errors.push(invalidValue(path.child("value"), value, "must be empty for operator `Exists`"));
  return [...errors, ...optionalOneOf(toleration, "effect", ["NoExecute", "NoSchedule", "None"], path)];
}

function validateConstraint(constraint: JsonObject, path: FieldPath, names: ReadonlySet<string>): readonly FieldError[] {
  const errors = validateReferences(stringsField(constraint, "requests"), path.child("requests"), names);
  const given = ["matchAttribute", "distinctAttribute"].find((name) => has(constraint, name));
  if (given !== undefined) return [...errors, ...validateAttributeName(stringField(constraint, given), path.child(given))];
  return [...errors, required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set')];
}

function validateAttributeName(name: string, path: FieldPath): readonly FieldError[] {
  const rule = "a fully qualified name must be a domain and a name separated by a slash";
  return [...validateDeviceLabel(name, path), ...(name.includes("/") ? [] : [invalidValue(path, name, rule)])];
}

/** What is wrong with the name of an attribute or a capacity, which may say whose it is: `DOMAIN/NAME`. */
export function validateDeviceLabel(name: string, path: FieldPath): readonly FieldError[] {
  const [domain = "", id, ...more] = name.split("/");
  if (id === undefined) return validateIdentifier(domain, path);
  if (more.length > 0) return [];
  return [
    ...(domain === "" ? [invalidValue(path, "", "the domain must not be empty")] : validateDriverName(domain, path)),
    ...(id === "" ? [invalidValue(path, "", "the name must not be empty")] : validateIdentifier(id, path)),
  ];
}

function validateIdentifier(id: string, path: FieldPath): readonly FieldError[] {
  const errors = Buffer.byteLength(id) > longestId ? [tooLong(path, longestId)] : [];
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(id)) return errors;
  const rule = "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return [
    ...errors,
    invalidValue(path, id, `${rule} (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')`),
  ];
}

function validateReferences(references: readonly string[], path: FieldPath, names: ReadonlySet<string>): readonly FieldError[] {
  const rule = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  if (references.length > mostRequests) return [tooMany(path, references.length, mostRequests)];
  const ofEach = references.flatMap((reference, index) => {
    const at = path.index(index);
    const parts = reference.split("/");
    if (parts.length > 2) return [invalidValue(at, reference, rule)];
    const ofParts = parts.flatMap((part) => invalidFor(at, part, dns1123LabelErrors(part)));
    return names.has(reference) ? ofParts : [...ofParts, invalidValue(at, reference, rule)];
  });
  return [
    ...ofEach,
    ...references.flatMap((reference, index) => (references.indexOf(reference) < index ? [duplicate(path.index(index), reference)] : [])),
  ];
}

/** The names of requests, and of their alternatives as `request/alternative`. */
function requestNames(devices: JsonObject): ReadonlySet<string> {
  const names = objectsField(devices, "requests").flatMap((request) => {
    const name = stringField(request, "name");
    return [name, ...objectsField(request, "firstAvailable").map((alternative) => `${name}/${stringField(alternative, "name")}`)];
  });
  return new Set(names);
}
