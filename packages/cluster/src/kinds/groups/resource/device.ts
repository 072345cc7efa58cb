import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  invalidValue,
  labelValueErrors,
  qualifiedNameErrors,
  required,
  tooLong,
} from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { invalidFor } from "../../field-rules.ts";
import { field, has, objectField, objectsField, stringField } from "../../json-fields.ts";
import { limited, validateDeviceLabel } from "./device-claim.ts";

const mostTaints = 16;
const mostProperties = 32;
const longestValue = 64;
const places = ["nodeName", "nodeSelector", "allNodes"];
const effects = ["NoExecute", "NoSchedule", "None"];
const attributeValues = ["bool", "int", "string", "version"];
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?(\+[\dA-Za-z-]+(\.[\dA-Za-z-]+)*)?$/;

/** What is wrong with a device of a slice. */
export function validateDevice(device: JsonObject, path: FieldPath, isPlacedAlone: boolean): readonly FieldError[] {
  const name = stringField(device, "name");
  const [attributes, capacity] = [objectField(device, "attributes"), objectField(device, "capacity")];
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  const tooManyProperties = `the total number of attributes and capacities must not exceed ${mostProperties}`;
  return [
    ...invalidFor(path.child("name"), name, dns1123LabelErrors(name)),
    ...(count > mostProperties ? [invalidValue(path, count, tooManyProperties)] : []),
    ...Object.keys(attributes).flatMap((key) => [
      ...validateDeviceLabel(key, path.child("attributes")),
      ...validateAttribute(objectField(attributes, key), path.child("attributes").key(key)),
    ]),
    ...Object.keys(capacity).flatMap((key) => validateDeviceLabel(key, path.child("capacity"))),
    ...limited(objectsField(device, "taints"), path.child("taints"), mostTaints, validateTaint),
    ...(isPlacedAlone ? validateOwnPlace(device, path) : validateNoPlace(device, path)),
  ];
}

function validateOwnPlace(device: JsonObject, path: FieldPath): readonly FieldError[] {
  const node = stringField(device, "nodeName");
  const rule =
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  const given = places.filter((name) => has(device, name) && field(device, name) !== false && field(device, name) !== "");
  const ofNode =
    node === ""
      ? [invalidValue(path.child("nodeName"), node, "must not be empty")]
      : invalidFor(path.child("nodeName"), node, dns1123SubdomainErrors(node));
  const errors = [
    ...(has(device, "nodeName") ? ofNode : []),
    ...(field(device, "allNodes") === false ? [invalidValue(path.child("allNodes"), false, "must be either unset or set to true")] : []),
  ];
  if (given.length === 1) return errors;
  if (given.length === 0) return [...errors, required(path, rule)];
  return [...errors, invalidValue(path, `{${given.map((name) => `\`${name}\``).join(", ")}}`, rule)];
}

function validateNoPlace(device: JsonObject, path: FieldPath): readonly FieldError[] {
  const why =
    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  return places.some((name) => has(device, name)) ? [invalidValue(path, null, why)] : [];
}

function validateAttribute(attribute: JsonObject, path: FieldPath): readonly FieldError[] {
  const given = attributeValues.filter((name) => has(attribute, name));
  const [text, version] = [stringField(attribute, "string"), stringField(attribute, "version")];
  const isVersion = !has(attribute, "version") || semanticVersion.test(version);
  const shown = given.length === 0 ? "" : attribute;
  return [
    ...(text.length > longestValue ? [tooLong(path.child("string"), longestValue)] : []),
    ...(isVersion ? [] : [invalidValue(path.child("version"), version, "must be a string compatible with semver.org spec 2.0.0")]),
    ...(version.length > longestValue ? [tooLong(path.child("version"), longestValue)] : []),
    ...(given.length === 1 ? [] : [invalidValue(path, shown, "exactly one value must be specified")]),
  ];
}

function validateTaint(taint: JsonObject, path: FieldPath): readonly FieldError[] {
  const [key, value, effect] = [stringField(taint, "key"), stringField(taint, "value"), stringField(taint, "effect")];
  const ofEffect = effect === "" ? [required(path.child("effect"))] : [notEnumerated(path.child("effect"), effect, effects)];
  return [
    ...invalidFor(path.child("key"), key, qualifiedNameErrors(key)),
    ...invalidFor(path.child("value"), value, labelValueErrors(value)),
    ...(effects.includes(effect) ? [] : ofEffect),
  ];
}
