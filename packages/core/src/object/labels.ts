import { invalidValue, tooLong } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import type { FieldPath } from "../error/field-path.ts";
import { annotationKeyErrors, labelValueErrors, qualifiedNameErrors } from "./names.ts";

/** The labels, or the annotations, of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Keys and values of all annotations of an object together may not have more bytes. */
const annotationsMaxBytes = 256 * 1024;

/** Checks the keys and values of labels. */
export function validateLabels(labels: Labels, path: FieldPath): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((error) => invalidValue(path, key, error)),
    ...labelValueErrors(value).map((error) => invalidValue(path, value, error)),
  ]);
}

/** Checks the keys of annotations, and the size of them all. */
export function validateAnnotations(annotations: Labels, path: FieldPath): readonly FieldError[] {
  const entries = Object.entries(annotations);
  const errors = entries.flatMap(([key]) => annotationKeyErrors(key).map((error) => invalidValue(path, key, error)));
  const sizeBytes = entries.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return sizeBytes > annotationsMaxBytes ? [...errors, tooLong(path, annotationsMaxBytes)] : errors;
}
