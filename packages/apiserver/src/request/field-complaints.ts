import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { mostComplaints } from "./parsed-body.ts";
import type { DuplicateField } from "./parsed-body.ts";

/** How a body is read, which decides what comes first. */
export interface Reading {
  /** Whether the object is a Go struct. */
  readonly isStruct: boolean;
  /** Whether the body is a patch, and the object what it was applied to. */
  readonly isPatch: boolean;
}

/**
 * What to say of fields that are unknown or were given twice. Go structs are read field by field, so that all comes in the order of the document, and what is in an
 * unknown field is not looked at; of others, and in patches, what is given twice is found first.
 */
export function complaintsOf(
  value: JsonValue,
  unknownFields: readonly string[],
  duplicates: readonly DuplicateField[],
  { isStruct, isPatch }: Reading,
): readonly string[] {
  const unknown = (isStruct ? unknownFields.slice(0, mostComplaints) : unknownFields).map((path) => ({
    path,
    complaint: `unknown field ${isStruct ? quote(path) : `"${path}"`}`,
  }));
  const isYaml = duplicates.some(({ complaint }) => complaint.startsWith("line "));
  if (!isStruct || isPatch || isYaml) return [...duplicates, ...unknown].map(({ complaint }) => complaint);
  const known = duplicates.filter(({ path }) => !unknown.some((field) => holds(field.path, path)));
  return inOrder([...known, ...unknown], value)
    .slice(0, mostComplaints)
    .map(({ complaint }) => complaint);
}

/** Complaints in the order of the document. */
function inOrder(complaints: readonly DuplicateField[], value: JsonValue): readonly DuplicateField[] {
  if (complaints.length < 2) return complaints;
  const paths = complaints.map(({ path }) => path);
  const order = new Map([...pathsTo(paths, value, "")].map((path, index) => [path, index]));
  return complaints.toSorted((left, right) => rank(left.path, order) - rank(right.path, order));
}

/** A field that is no longer there, because all of what held it was given twice, counts as what held it. */
function rank(path: string, order: ReadonlyMap<string, number>): number {
  for (let known = path; known !== ""; known = known.slice(0, Math.max(known.lastIndexOf("."), known.lastIndexOf("["), 0))) {
    const index = order.get(known);
    if (index !== undefined) return index;
  }
  return order.size;
}

/** The paths of the fields that hold one of those wanted, or are one, each before those below it. */
function* pathsTo(wanted: readonly string[], value: JsonValue, path: string): Generator<string> {
  for (const [here, field] of fieldsOf(value, path)) {
    if (!wanted.some((each) => holds(here, each))) continue;
    if (!isJsonArray(value)) yield here;
    yield* pathsTo(wanted, field, here);
  }
}

function fieldsOf(value: JsonValue, path: string): ReadonlyArray<readonly [path: string, value: JsonValue]> {
  if (isJsonArray(value)) return value.map((item, index) => [`${path}[${index}]`, item]);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, field = null]) => [path === "" ? key : `${path}.${key}`, field]);
}

/** Whether a field is another one, or that is somewhere in it. */
function holds(outer: string, inner: string): boolean {
  if (!inner.startsWith(outer)) return false;
  const next = inner[outer.length];
  return next === undefined || next === "." || next === "[";
}
