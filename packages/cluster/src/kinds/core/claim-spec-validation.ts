import { Quantity, forbiddenField, invalidValue, required, structuralEqual } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { labelErrors, optionalOneOf, requiredFields, subdomainErrors } from "../field-rules.ts";
import { field, has, objectField, optionalObject, stringField, stringsField } from "../json-fields.ts";
import { templateMetadataErrors } from "../metadata-validation.ts";
import { selectorErrors } from "./affinity-validation.ts";
import { resourceAmountErrors } from "./resource-name.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Whether a volume is a file system or a raw device. */
export const volumeModes: readonly string[] = ["Block", "Filesystem"];

/** What is wrong with the template of a claim that comes and goes with its pod. */
export function validateClaimTemplate(template: JsonObject, path: FieldPath): readonly FieldError[] {
  return [
    ...templateMetadataErrors(objectField(template, "metadata"), path.child("metadata")),
    ...validateClaimSpec(objectField(template, "spec"), path.child("spec")),
  ];
}

/** What is wrong with the `spec` of a claim; `dataSourceKnown` when it was accepted before. */
export function validateClaimSpec(
  spec: JsonObject,
  path: FieldPath,
  options: { readonly dataSourceKnown?: boolean } = {},
): readonly FieldError[] {
  const modes = stringsField(spec, "accessModes");
  const [storageClass, attributesClass] = [stringField(spec, "storageClassName"), stringField(spec, "volumeAttributesClassName")];
  return [
    ...(modes.length === 0 ? [required(path.child("accessModes"), "at least 1 access mode is required")] : []),
    ...selectorErrors(spec, "selector", path),
    ...accessModeErrors(modes, path.child("accessModes")),
    ...storageErrors(
      stringField(objectField(objectField(spec, "resources"), "requests"), "storage"),
      path.child("resources").key("storage"),
    ),
    ...(storageClass === "" ? [] : subdomainErrors(storageClass, path.child("storageClassName"))),
    ...optionalOneOf(spec, "volumeMode", volumeModes, path),
    ...dataSourceErrors(spec, path, options.dataSourceKnown === true),
    ...(attributesClass === "" ? [] : subdomainErrors(attributesClass, path.child("volumeAttributesClassName"))),
  ];
}

/** What is wrong with how a volume may be mounted. */
export function accessModeErrors(modes: readonly string[], path: FieldPath): readonly FieldError[] {
  const known = modes.filter((mode) => accessModes.includes(mode));
  const errors = modes.filter((mode) => !accessModes.includes(mode)).map((mode) => notEnumerated(path, mode, accessModes));
  const isMixed = known.includes("ReadWriteOncePod") && known.some((mode) => mode !== "ReadWriteOncePod");
  return isMixed ? [...errors, forbiddenField(path, "may not use ReadWriteOncePod with other access modes")] : errors;
}

function storageErrors(amount: string, path: FieldPath): readonly FieldError[] {
  if (amount === "") return [required(path)];
  const quantity = Quantity.parse(amount);
  if (quantity.sign() <= 0) return [invalidValue(path, amount, "must be greater than zero")];
  return resourceAmountErrors("storage", quantity, path);
}

function dataSourceErrors(spec: JsonObject, path: FieldPath, isKnown: boolean): readonly FieldError[] {
  const [source, reference] = [optionalObject(spec, "dataSource"), optionalObject(spec, "dataSourceRef")];
  const errors = [
    ...(source === undefined ? [] : sourceErrors(source, path.child("dataSource"), isKnown)),
    ...(reference === undefined ? [] : sourceErrors(reference, path.child("dataSourceRef"), isKnown)),
  ];
  const namespace = stringField(reference, "namespace");
  if (namespace !== "") errors.push(...labelErrors(namespace, path.child("dataSourceRef", "namespace")));
  if (source === undefined || reference === undefined) return errors;
  // The server prints the path of the field as its value, and a path has no fields that JSON would show.
  if (namespace !== "") return [...errors, invalidValue(path, {}, "may not be specified when dataSourceRef.namespace is specified")];
  const isSame = ["apiGroup", "kind", "name"].every((name) => structuralEqual(field(source, name), field(reference, name)));
  return isSame ? errors : [...errors, invalidValue(path, {}, "must match dataSourceRef")];
}

function sourceErrors(source: JsonObject, path: FieldPath, isKnown: boolean): readonly FieldError[] {
  const [group, kind] = [stringField(source, "apiGroup"), stringField(source, "kind")];
  const errors = [...requiredFields(source, ["name", "kind"], path)];
  if (group === "" && kind !== "PersistentVolumeClaim") {
    errors.push(invalidValue(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  return group === "" || isKnown || !has(source, "apiGroup") ? errors : [...errors, ...subdomainErrors(group, path.child("apiGroup"))];
}
