import { formatAge } from "@kaji/apiserver";
import type { Column } from "@kaji/apiserver";
import { FieldPath, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { qualifiedErrors, subdomainErrors } from "../field-rules.ts";
import { has, numberField, objectField, optionalObject, stringField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { nameColumn } from "../name-and-age.ts";

/** The table of events. */
const eventColumns: readonly Column[] = [
  text("Last Seen", "how long ago it last happened", lastSeen),
  text("Type", "whether it is something to worry about", (event) => stringField(event, "type")),
  text("Reason", "what happened, in a word", (event) => stringField(event, "reason")),
  text("Object", "what it happened to", involved),
  text("Subobject", "which part of the object", (event) => stringField(objectField(event, "involvedObject"), "fieldPath"), 1),
  text("Source", "who says so", source, 1),
  text("Message", "what happened", (event) => stringField(event, "message").trim()),
  text("First Seen", "how long ago it first happened", firstSeen, 1),
  text("Count", "how often it happened", count, 1),
  { ...nameColumn, priority: 1 },
];

/** `Event`: what happened to objects. They are removed after an hour. */
export const eventDetails: KindDetails = {
  strategy: {
    createOnUpdate: true,
    defaultPropagation: "Unsupported",
    validateCreate: (event) => eventErrors(event, "reportingComponent"),
    validateUpdate: (event) => eventErrors(event, "reportingComponent"),
  },
  columns: eventColumns,
  selectableFields: {
    ...Object.fromEntries(
      ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map((name) => [
        `involvedObject.${name}`,
        (event: DynamicObject) => stringField(objectField(event, "involvedObject"), name),
      ]),
    ),
    reason: (event) => stringField(event, "reason"),
    reportingComponent: (event) => stringField(event, "reportingComponent"),
    source: (event) => stringField(objectField(event, "source"), "component") || stringField(event, "reportingComponent"),
    type: (event) => stringField(event, "type"),
  },
};

function text(name: string, description: string, cell: Column["cell"], priority = 0): Column {
  return { name, type: "string", description, priority, cell };
}

function firstSeen(event: DynamicObject, nowMs: number): string {
  return formatAge(stringField(event, "firstTimestamp") || stringField(event, "eventTime") || undefined, nowMs);
}

function lastSeen(event: DynamicObject, nowMs: number): string {
  const series = optionalObject(event, "series");
  if (series !== undefined) return formatAge(stringField(series, "lastObservedTime") || undefined, nowMs);
  const last = stringField(event, "lastTimestamp");
  return last === "" ? firstSeen(event, nowMs) : formatAge(last, nowMs);
}

function count(event: DynamicObject): number {
  const series = optionalObject(event, "series");
  return series === undefined ? numberField(event, "count") || 1 : (numberField(series, "count") ?? 0);
}

function involved(event: DynamicObject): string {
  const object = objectField(event, "involvedObject");
  const [kind, name] = [stringField(object, "kind").toLowerCase(), stringField(object, "name")];
  return name === "" ? kind : `${kind}/${name}`;
}

function source(event: DynamicObject): string {
  const given = objectField(event, "source");
  const component = stringField(given, "component") || stringField(event, "reportingComponent");
  const instance = stringField(given, "host") || stringField(event, "reportingInstance");
  return instance === "" ? component : `${component}, ${instance}`;
}

const longest = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

/** What is wrong with an event; who reports it is named otherwise in each of the two versions of the kind. */
export function eventErrors(event: DynamicObject, controllerField: "reportingComponent" | "reportingController"): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  return [
    ...(has(event, "eventTime") ? newEventErrors(event, namespace, controllerField) : oldEventErrors(event, namespace)),
    ...subdomainErrors(namespace, FieldPath.of("namespace")),
  ];
}

function oldEventErrors(event: DynamicObject, namespace: string): readonly FieldError[] {
  const involvedNamespace = involvedNamespaceOf(event);
  const isFine = involvedNamespace === "" ? namespace === "" || namespace === "default" : namespace === involvedNamespace;
  return isFine ? [] : [wrongNamespace(involvedNamespace)];
}

function newEventErrors(event: DynamicObject, namespace: string, controllerField: string): readonly FieldError[] {
  const involvedNamespace = involvedNamespaceOf(event);
  const errors: FieldError[] = [];
  if (involvedNamespace === "" && namespace !== "default" && namespace !== "kube-system") errors.push(wrongNamespace(involvedNamespace));
  const controller = stringField(event, "reportingComponent");
  if (controller === "") errors.push(required(FieldPath.of(controllerField)));
  errors.push(...qualifiedErrors(controller, FieldPath.of(controllerField)));
  for (const name of ["reportingInstance", "action", "reason", "message"] as const) {
    const value = stringField(event, name);
    if (value === "" && name !== "message") errors.push(required(FieldPath.of(name)));
    if (Buffer.byteLength(value) > longest[name])
      errors.push(invalidValue(FieldPath.of(name), "", `can have at most ${longest[name]} characters`));
  }
  return errors;
}

function involvedNamespaceOf(event: DynamicObject): string {
  return stringField(objectField(event, "involvedObject"), "namespace");
}

function wrongNamespace(namespace: string): FieldError {
  return invalidValue(FieldPath.of("involvedObject", "namespace"), namespace, "does not match event.namespace");
}
