import { forbiddenField, invalidValue, required } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import type { FieldPath } from "../error/field-path.ts";
import { validateAnnotations, validateLabels } from "../object/labels.ts";
import type { Labels } from "../object/labels.ts";
import { dns1123LabelErrors } from "../object/names.ts";
import type { NameErrors } from "../object/names.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const text: StructuralSchema = { type: "string" };
const integer: StructuralSchema = { type: "integer", format: "int64" };
const labels: StructuralSchema = { type: "object", additionalProperties: text };
const ownerReference: StructuralSchema = {
  type: "object",
  properties: {
    apiVersion: text,
    kind: text,
    name: text,
    uid: text,
    controller: { type: "boolean" },
    blockOwnerDeletion: { type: "boolean" },
  },
};
const managedFieldsEntry: StructuralSchema = {
  type: "object",
  properties: {
    manager: text,
    operation: text,
    apiVersion: text,
    time: text,
    fieldsType: text,
    fieldsV1: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    subresource: text,
  },
};

/** The types of the fields of `metadata`, which no CustomResourceDefinition says since the server knows them. */
export const objectMetaSchema: StructuralSchema = {
  type: "object",
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    labels,
    annotations: labels,
    finalizers: { type: "array", items: text },
    ownerReferences: { type: "array", items: ownerReference },
    uid: text,
    resourceVersion: text,
    generation: integer,
    creationTimestamp: text,
    deletionTimestamp: text,
    deletionGracePeriodSeconds: integer,
    managedFields: { type: "array", items: managedFieldsEntry },
    selfLink: text,
  },
};

/** Metadata of the right types, in which nothing need be present. */
export interface LooseMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
}

/** Checks the syntax of names, labels and annotations. */
export function validateObjectMeta(meta: LooseMeta, path: FieldPath, nameErrors: (name: string) => NameErrors): readonly FieldError[] {
  const { name = "", generateName = "", namespace = "" } = meta;
  const invalid = (field: string, value: string, errors: NameErrors): readonly FieldError[] =>
    errors.map((error) => invalidValue(path.child(field), value, error));
  return [
    ...(name === "" ? [] : invalid("name", name, nameErrors(name))),
    // A trailing hyphen is all right here: something follows it.
    ...(generateName === "" ? [] : invalid("generateName", generateName, nameErrors(generateName.replace(/.-$/s, "a")))),
    ...(namespace === "" ? [] : invalid("namespace", namespace, dns1123LabelErrors(namespace))),
    ...validateLabels(meta.labels ?? {}, path.child("labels")),
    ...validateAnnotations(meta.annotations ?? {}, path.child("annotations")),
  ];
}

/** Checks what the metadata of an object that is sent to the server must have, and may not have. */
export function validateIdentity(
  { name, generateName, namespace }: LooseMeta,
  path: FieldPath,
  clusterScoped: boolean,
): readonly FieldError[] {
  return [
    ...(name || generateName ? [] : [required(path.child("name"), "name or generateName is required")]),
    ...(clusterScoped && namespace ? [forbiddenField(path.child("namespace"), "not allowed on this type")] : []),
  ];
}
