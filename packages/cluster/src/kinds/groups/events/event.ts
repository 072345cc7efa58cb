import { FieldPath, invalidValue, jsonOf, required, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject, JsonValue } from "@kaji/core";
import { eventDetails, eventErrors } from "../../core/event.ts";
import { immutable } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { field, has, numberField, objectField, optionalObject, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";

/** What the fields of an Event of `events.k8s.io` are called in the core group, in which it is kept. */
const coreNames: Readonly<Record<string, string>> = {
  regarding: "involvedObject",
  note: "message",
  deprecatedSource: "source",
  deprecatedFirstTimestamp: "firstTimestamp",
  deprecatedLastTimestamp: "lastTimestamp",
  deprecatedCount: "count",
  reportingController: "reportingComponent",
};
const ownNames = Object.fromEntries(Object.entries(coreNames).map(([own, core]) => [core, own]));
const fixedFields = ["reason", "message", "source", "firstTimestamp", "lastTimestamp", "count", "type"];
const referenceFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/** `Event`: something that happened, in the newer of its two forms. Both are kept in one place. */
export const event: KindDetails = {
  storagePrefix: "/registry/events/",
  storageVersion: "v1",
  toStorage,
  fromStorage,
  strategy: {
    createOnUpdate: true,
    defaultPropagation: "Unsupported",
    validateName: subdomainName,
    validateCreate: (object) => validateEvent(toStorage(object)),
    validateUpdate: (object, old) => validateChange(toStorage(object), toStorage(old)),
  },
  selectableFields: {
    ...Object.fromEntries(
      referenceFields.map((name) => [`regarding.${name}`, (object: DynamicObject) => stringField(objectField(object, "regarding"), name)]),
    ),
    reason: (object) => stringField(object, "reason"),
    reportingController: (object) => stringField(object, "reportingController"),
    type: (object) => stringField(object, "type"),
  },
  columns: (eventDetails.columns ?? []).map((column) => ({ ...column, cell: (object, nowMs) => column.cell(toStorage(object), nowMs) })),
};

/** The Event as the core group has it. */
function toStorage(object: DynamicObject): DynamicObject {
  const renamed = renamedFields(object, coreNames);
  return {
    ...renamed,
    apiVersion: "v1",
    kind: "Event",
    metadata: object.metadata,
    involvedObject: field(renamed, "involvedObject") ?? {},
    source: field(renamed, "source") ?? {},
    reportingComponent: stringField(renamed, "reportingComponent"),
    reportingInstance: stringField(renamed, "reportingInstance"),
    ...withTimes(renamed, "firstTimestamp", "lastTimestamp", "eventTime"),
  };
}

/** The Event as `events.k8s.io` has it. */
function fromStorage(object: DynamicObject): DynamicObject {
  const { reportingController: controller, reportingInstance: instance, ...renamed } = renamedFields(object, ownNames);
  return {
    ...renamed,
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: object.metadata,
    ...(typeof controller === "string" && controller !== "" ? { reportingController: controller } : {}),
    ...(typeof instance === "string" && instance !== "" ? { reportingInstance: instance } : {}),
    regarding: field(renamed, "regarding") ?? {},
    deprecatedSource: field(renamed, "deprecatedSource") ?? {},
    ...withTimes(renamed, "deprecatedFirstTimestamp", "deprecatedLastTimestamp", "eventTime"),
  };
}

function renamedFields(object: DynamicObject, names: Readonly<Record<string, string>>): JsonObject {
  const { metadata: _metadata, ...fields } = jsonOf(object);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [Object.hasOwn(names, name) ? (names[name] ?? name) : name, value]),
  );
}

/** Times are always written, if only as null. */
function withTimes(fields: JsonObject, ...names: readonly string[]): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(names.map((name) => [name, field(fields, name) ?? null]));
}

function validateEvent(object: DynamicObject): readonly FieldError[] {
  const type = stringField(object, "type");
  const errors = [...eventErrors(object, "reportingController"), ...validateSeries(object)];
  if (!has(object, "eventTime")) errors.push(required(FieldPath.of("eventTime")));
  if (type !== "Normal" && type !== "Warning") errors.push(invalidValue(FieldPath.of("type"), "", `has invalid value: ${type}`));
  const unset = (name: string): void => void errors.push(invalidValue(FieldPath.of(name), "", "needs to be unset"));
  for (const name of ["firstTimestamp", "lastTimestamp"]) if (has(object, name)) unset(name);
  if ((numberField(object, "count") ?? 0) !== 0) unset("count");
  if (Object.keys(objectField(object, "source")).length > 0) unset("source");
  return errors;
}

function validateChange(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const isSameSeries = structuralEqual(field(object, "series"), field(old, "series"));
  return [
    ...eventErrors(object, "reportingController"),
    ...(isSameSeries ? [] : validateSeries(object)),
    ...validateSameReference(object, old, "involvedObject"),
    ...immutable(object, old, [...fixedFields, "eventTime", "action"], FieldPath.root),
    ...validateSameReference(object, old, "related"),
    ...immutable(
      { reportingController: object["reportingComponent"] },
      { reportingController: old["reportingComponent"] },
      ["reportingController"],
      FieldPath.root,
    ),
    ...immutable(object, old, ["reportingInstance"], FieldPath.root),
  ];
}

function validateSameReference(object: DynamicObject, old: DynamicObject, name: string): readonly FieldError[] {
  if (structuralEqual(field(object, name), field(old, name))) return [];
  const reference = optionalObject(object, name);
  return [
    invalidValue(
      FieldPath.of(name),
      reference === undefined ? null : internalForm("core.v1.ObjectReference", reference),
      "field is immutable",
    ),
  ];
}

function validateSeries(object: DynamicObject): readonly FieldError[] {
  const series = optionalObject(object, "series");
  if (series === undefined) return [];
  return [
    ...((numberField(series, "count") ?? 0) < 2 ? [invalidValue(FieldPath.of("series", "count"), "", "should be at least 2")] : []),
    ...(has(series, "lastObservedTime") ? [] : [required(FieldPath.of("series", "lastObservedTime"))]),
  ];
}
