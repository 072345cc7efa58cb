import { completedPrefix, validateMetadataAgain, validateMetadataChange } from "@kaji/apiserver";
import type { Strategy } from "@kaji/apiserver";
import {
  FieldPath,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  forbiddenField,
  invalidValue,
  validateAnnotations,
  validateLabels,
} from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { has, stringMapField } from "./json-fields.ts";

const finalizersPath = FieldPath.of("metadata", "finalizers");
/** A rule for names; of a prefix, to which letters are appended, the last dash does not count. */
type NameRule = NonNullable<Strategy["validateName"]>;

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** What built-in kinds check of new metadata beyond what all kinds do. */
export function finalizerNameErrors({ metadata }: DynamicObject): readonly FieldError[] {
  return (metadata.finalizers ?? []).flatMap((name, index) => standardFinalizerErrors(name, finalizersPath.index(index)));
}

/** What is wrong with a finalizer without a domain: only a few names may go without one. */
export function standardFinalizerErrors(name: string, path: FieldPath): readonly FieldError[] {
  if (name.includes("/") || standardFinalizers.includes(name)) return [];
  return [invalidValue(path, name, "name is neither a standard finalizer name nor is it fully qualified")];
}

/** What built-in kinds check of changed metadata after the server has already: the real server lists these causes twice. */
export function metadataUpdateErrors(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  return [...validateMetadataChange(object.metadata, old.metadata), ...finalizerNameErrors(object)];
}

/** The same for kinds that check all metadata on update, as if it were new. */
export function metadataErrorsAgain(object: DynamicObject, rule: NameRule): readonly FieldError[] {
  return [...validateMetadataAgain(object.metadata, rule), ...finalizerNameErrors(object)];
}

/** Names that are DNS subdomains, as those of most kinds. */
export const subdomainName: NameRule = (name, { prefix }) => dns1123SubdomainErrors(prefix ? completedPrefix(name) : name);

/** Names that are DNS labels, as those of namespaces. */
export const labelName: NameRule = (name, { prefix }) => dns1123LabelErrors(prefix ? completedPrefix(name) : name);

/** What is wrong with the metadata of a template of which only labels and annotations are used. */
export function templateMetadataErrors(metadata: JsonObject, path: FieldPath): readonly FieldError[] {
  const others = Object.keys(metadata).filter((name) => name !== "annotations" && name !== "labels" && has(metadata, name));
  return [
    ...validateAnnotations(stringMapField(metadata, "annotations"), path.child("annotations")),
    ...validateLabels(stringMapField(metadata, "labels"), path.child("labels")),
    ...others.map((name) => forbiddenField(path.child(name), "cannot be set")),
  ];
}
