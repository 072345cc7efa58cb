import { FieldPath, dns1123SubdomainErrors, formatTime, invalidValue, required, tooLong } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapItems, mapPart, withDefaults } from "../../field-defaults.ts";
import { immutable, invalidFor } from "../../field-rules.ts";
import { booleanField, field, has, numberField, objectField, objectsField, specOf, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { validateDriverName } from "../storage/csi.ts";
import { validateNamed } from "./device-claim.ts";
import { validateDevice } from "./device.ts";

const path = FieldPath.of("spec");
const mostDevices = 128;
const longestPoolName = 253;
const places = ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"];

/** `ResourceSlice`: some of the devices that a driver has at a node. */
export const resourceSlice: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    prepareCreate: (object, { nowMs }) => withTaintTimes(object, nowMs),
    prepareUpdate: (object, _old, { nowMs }) => withTaintTimes(object, nowMs),
    validateCreate: (object) => validateSpec(specOf(object), undefined),
    validateUpdate: (object, old) => validateSpec(specOf(object), specOf(old)),
    warnings: (object) => {
      const driver = stringField(specOf(object), "driver");
      return driver === driver.toLowerCase()
        ? []
        : [`spec.driver: driver names should be lowercase; "${driver}" contains uppercase characters`];
    },
  },
  selectableFields: {
    "spec.nodeName": (object) => stringField(specOf(object), "nodeName"),
    "spec.driver": (object) => stringField(specOf(object), "driver"),
  },
  columns: [
    nameColumn,
    { name: "Node", type: "string", description: "where the devices are", cell: (object) => stringField(specOf(object), "nodeName") },
    { name: "Driver", type: "string", description: "whose devices they are", cell: (object) => stringField(specOf(object), "driver") },
    {
      name: "Pool",
      type: "string",
      description: "the pool they are of",
      cell: (object) => stringField(objectField(specOf(object), "pool"), "name"),
    },
    ageColumn,
  ],
};

function withTaintTimes(object: DynamicObject, nowMs: number): DynamicObject {
  const timeAdded = formatTime(nowMs);
  return mapPart(object, "spec", (spec) =>
    mapItems(spec, "devices", (device) => mapItems(device, "taints", (taint) => withDefaults(taint, { timeAdded }))),
  );
}

function validateSpec(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  return [
    ...validateDriverName(stringField(spec, "driver"), path.child("driver")),
    ...validatePool(objectField(spec, "pool"), path.child("pool")),
    ...(old === undefined ? [] : validateSame(spec, old)),
    ...validatePlace(spec),
    ...(has(spec, "sharedCounters") && has(spec, "devices")
      ? [invalidValue(path, "", "only one of `sharedCounters` or `devices` is allowed")]
      : []),
    ...validateNamed(objectsField(spec, "devices"), path.child("devices"), mostDevices, (device, at) =>
      validateDevice(device, at, booleanField(spec, "perDeviceNodeSelection")),
    ),
  ];
}

function validatePool(pool: JsonObject, at: FieldPath): readonly FieldError[] {
  const [name, count, generation] = [
    stringField(pool, "name"),
    numberField(pool, "resourceSliceCount") ?? 0,
    numberField(pool, "generation") ?? 0,
  ];
  const ofName = [
    ...(Buffer.byteLength(name) > longestPoolName ? [tooLong(at.child("name"), longestPoolName)] : []),
    ...name.split("/").flatMap((part) => invalidFor(at.child("name"), part, dns1123SubdomainErrors(part))),
  ];
  return [
    ...(name === "" ? [required(at.child("name"))] : ofName),
    ...(count <= 0 ? [invalidValue(at.child("resourceSliceCount"), count, "must be greater than zero")] : []),
    ...(generation < 0 ? [invalidValue(at.child("generation"), generation, "must be greater than or equal to zero")] : []),
  ];
}

function validatePlace(spec: JsonObject): readonly FieldError[] {
  const node = stringField(spec, "nodeName");
  const rule = `exactly one of ${places.map((name) => `\`${name}\``).join(", ")} is required`;
  const given = places.filter((name) => has(spec, name) && field(spec, name) !== false && field(spec, name) !== "");
  const falses = ["allNodes", "perDeviceNodeSelection"].filter((name) => field(spec, name) === false);
  const ofNode =
    node === ""
      ? [invalidValue(path.child("nodeName"), node, "must be either unset or set to a non-empty string")]
      : invalidFor(path.child("nodeName"), node, dns1123SubdomainErrors(node));
  const errors = [
    ...(has(spec, "nodeName") ? ofNode : []),
    ...falses.map((name) => invalidValue(path.child(name), false, "must be either unset or set to true")),
  ];
  if (given.length === 1) return errors;
  if (given.length === 0) return [...errors, required(path, rule)];
  return [...errors, invalidValue(path, `{${given.map((name) => `\`${name}\``).join(", ")}}`, `${rule}, but multiple fields are set`)];
}

function validateSame(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  return [
    ...immutable(objectField(spec, "pool"), objectField(old, "pool"), ["name"], path.child("pool")),
    ...immutable(spec, old, ["driver", "nodeName"], path),
  ];
}
