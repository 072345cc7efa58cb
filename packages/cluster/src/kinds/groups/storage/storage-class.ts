import { FieldPath, duplicate, invalidValue, qualifiedNameErrors, required, structuralEqual, tooLong } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { deprecatedNodeLabel } from "../../core/node-label.ts";
import { mapFields, withPresence } from "../../field-defaults.ts";
import { eachItem, forbidChange, immutable, invalidFor, optionalOneOf } from "../../field-rules.ts";
import { booleanField, objectsField, stringField, stringMapField, stringsField } from "../../json-fields.ts";
import type { Fields } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";

const mostParameters = 512;
const largestParameters = 256 * 1024;
const defaultAnnotations = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];

/** `StorageClass`: how volumes are made. */
export const storageClass: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: (object) => mapFields(object, (fields) => withPresence(fields, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" })),
    validateCreate: validateStorageClass,
    validateUpdate: (object, old) => [
      ...validateStorageClass(object),
      ...immutable(object, old, ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"], FieldPath.root),
    ],
    warnings: (object) => topologyWarnings(objectsField(object, "allowedTopologies")),
  },
  columns: [
    {
      ...nameColumn,
      cell: ({ metadata }) =>
        defaultAnnotations.some((key) => metadata.annotations?.[key] === "true") ? `${metadata.name} (default)` : metadata.name,
    },
    { name: "Provisioner", type: "string", description: "who makes the volumes", cell: (object) => stringField(object, "provisioner") },
    {
      name: "ReclaimPolicy",
      type: "string",
      description: "what becomes of volumes nobody claims",
      cell: (object) => stringField(object, "reclaimPolicy") || "Delete",
    },
    {
      name: "VolumeBindingMode",
      type: "string",
      description: "when volumes are made",
      cell: (object) => stringField(object, "volumeBindingMode") || "Immediate",
    },
    {
      name: "AllowVolumeExpansion",
      type: "string",
      description: "whether volumes can grow",
      cell: (object) => booleanField(object, "allowVolumeExpansion"),
    },
    ageColumn,
  ],
};

/** `VolumeAttributesClass`: attributes of volumes that can be changed while they are used. */
export const volumeAttributesClass: KindDetails = {
  strategy: {
    validateName: subdomainName,
    validateCreate: validateAttributesClass,
    validateUpdate: (object, old) => [
      ...forbidChange(object, old, FieldPath.root, "driverName", "updates to driverName are forbidden."),
      ...forbidChange(object, old, FieldPath.root, "parameters", "updates to parameters are forbidden."),
      ...validateAttributesClass(object),
    ],
  },
  columns: [
    nameColumn,
    { name: "DriverName", type: "string", description: "whose volumes it is for", cell: (object) => stringField(object, "driverName") },
    ageColumn,
  ],
};

function validateStorageClass(object: DynamicObject): readonly FieldError[] {
  return [
    ...validateDriver(object, "provisioner"),
    ...validateParameters(object),
    ...(stringField(object, "reclaimPolicy") === "" ? [] : optionalOneOf(object, "reclaimPolicy", ["Delete", "Retain"], FieldPath.root)),
    ...optionalOneOf(object, "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"], FieldPath.root),
    ...validateTopologies(objectsField(object, "allowedTopologies")),
  ];
}

function validateAttributesClass(object: DynamicObject): readonly FieldError[] {
  const isEmpty = Object.keys(stringMapField(object, "parameters")).length === 0;
  return [
    ...validateDriver(object, "driverName"),
    ...validateParameters(object),
    ...(isEmpty ? [required(FieldPath.of("parameters"), "must contain at least one key/value pair")] : []),
  ];
}

function validateDriver(object: Fields, name: string): readonly FieldError[] {
  const value = stringField(object, name);
  return value === ""
    ? [required(FieldPath.of(name))]
    : invalidFor(FieldPath.of(name), value.toLowerCase(), qualifiedNameErrors(value.toLowerCase()));
}

function validateParameters(object: Fields): readonly FieldError[] {
  const path = FieldPath.of("parameters");
  const parameters = Object.entries(stringMapField(object, "parameters"));
  if (parameters.length > mostParameters) return [tooLong(path, mostParameters)];
  const errors = parameters.some(([key]) => key === "") ? [invalidValue(path, "", "field can not be empty.")] : [];
  const sizeBytes = parameters.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return sizeBytes > largestParameters ? [...errors, tooLong(path, largestParameters)] : errors;
}

function topologyWarnings(terms: readonly JsonObject[]): readonly string[] {
  return terms.flatMap((term, index) =>
    objectsField(term, "matchLabelExpressions").flatMap((expression, position) => {
      const why = deprecatedNodeLabel(stringField(expression, "key"));
      return why === undefined ? [] : [`allowedTopologies[${index}].matchLabelExpressions[${position}].key: ${why}`];
    }),
  );
}

/** The real server takes a term without expressions for the same as each of the places it keeps for all terms. */
function validateTopologies(terms: readonly JsonObject[]): readonly FieldError[] {
  return eachItem(terms, FieldPath.of("allowedTopologies"), (term, path, index) => {
    const expressions = objectsField(term, "matchLabelExpressions");
    const earlier = terms.slice(0, index).filter((other) => structuralEqual(other, term)).length;
    const times = earlier + (expressions.length === 0 ? terms.length : 0);
    const at = path.child("matchLabelExpressions");
    return [...validateTopology(expressions, at), ...Array.from({ length: times }, () => duplicate(at, ""))];
  });
}

function validateTopology(expressions: readonly JsonObject[], path: FieldPath): readonly FieldError[] {
  const keys = expressions.map((expression) => stringField(expression, "key"));
  return eachItem(expressions, path, (expression, at, index) => {
    const [key, values] = [stringField(expression, "key"), stringsField(expression, "values")];
    return [
      ...(values.length === 0 ? [required(at.child("values"))] : []),
      ...values.flatMap((value, position) =>
        values.indexOf(value) < position ? [duplicate(at.child("values").index(position), value)] : [],
      ),
      ...invalidFor(at.child("key"), key, qualifiedNameErrors(key)),
      ...(keys.indexOf(key) < index ? [duplicate(at.child("key"), key)] : []),
    ];
  });
}
