import { isJsonObject, jsonOf, objectOf, parseJson } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { compare } from "./compare.ts";
import { FieldSet } from "./field-set.ts";
import { goJson } from "./go-json.ts";
import type { TypedValue } from "./typed-value.ts";
import { toFieldSet } from "./to-field-set.ts";
import { validate } from "./validate.ts";

/** Where `kubectl apply` without `--server-side` keeps what it applied. */
const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The manager for which the annotation is read and kept up to date. */
export const lastAppliedManager = "kubectl";

/** All annotations of an object together may not be larger. */
const maxAnnotationsBytes = 256 * 1024;

/** What client-side apply set and is still so: fields that its user may take over although another manager has them. */
export function lastAppliedFields({ value: live, schema }: TypedValue): FieldSet {
  try {
    const { metadata, apiVersion } = objectOf(live);
    const applied = parseJson(metadata.annotations?.[annotation] ?? "");
    if (!isJsonObject(applied) || applied["apiVersion"] !== apiVersion) return FieldSet.empty;
    validate(applied, schema, { duplicates: "refused" });
    const { added, modified, removed } = compare(applied, live, schema);
    return toFieldSet(applied, schema).difference(modified).difference(added).difference(removed);
  } catch {
    // An annotation that does not make sense allows nothing: the conflicts stand.
    return FieldSet.empty;
  }
}

/** Writes what was applied into the annotation of an object that has it, so that client-side apply can go on from here. */
export function withLastApplied(object: DynamicObject, applied: DynamicObject): DynamicObject {
  const { [annotation]: present = "", ...others } = object.metadata.annotations ?? {};
  if (present === "") return object;
  const annotations = { ...others, [annotation]: `${goJson(jsonOf(withoutAnnotation(applied)))}\n` };
  const fits = sizeOf(annotations) <= maxAnnotationsBytes;
  return { ...object, metadata: { ...object.metadata, annotations: fits ? annotations : others } };
}

function withoutAnnotation(object: DynamicObject): DynamicObject {
  const annotations = object.metadata?.annotations;
  if (annotations === undefined) return object;
  const { [annotation]: _self, ...others } = annotations;
  return { ...object, metadata: { ...object.metadata, annotations: others } };
}

function sizeOf(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations).reduce((size, [name, value]) => size + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
}
