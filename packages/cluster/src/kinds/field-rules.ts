import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  forbiddenField,
  invalidValue,
  qualifiedNameErrors,
  required,
  structuralEqual,
} from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { field, has, numberField, stringField } from "./json-fields.ts";
import type { Fields } from "./json-fields.ts";
import { structSchemas } from "./struct-schemas.ts";

/** A field that must not be empty. */
export function requiredField(parent: Fields, name: string, path: FieldPath): readonly FieldError[] {
  return stringField(parent, name) === "" ? [required(path.child(name))] : [];
}

/** Texts of which there must be one. */
export function requiredFields(parent: Fields, names: readonly string[], path: FieldPath): readonly FieldError[] {
  return names.flatMap((name) => requiredField(parent, name, path));
}

/** A text that must be one of a few, and may not be left out. */
export function oneOf(value: string, supported: readonly string[], path: FieldPath): readonly FieldError[] {
  if (supported.includes(value)) return [];
  return [value === "" ? required(path) : notEnumerated(path, value, supported)];
}

/** A field that, where it is there, must be one of a few. */
export function optionalOneOf(parent: Fields, name: string, supported: readonly string[], path: FieldPath): readonly FieldError[] {
  if (!has(parent, name) || supported.includes(stringField(parent, name))) return [];
  return [notEnumerated(path.child(name), stringField(parent, name), supported)];
}

/** A star means all, so nothing may stand beside it. */
export function starAloneErrors(values: readonly string[], path: FieldPath, what: string): readonly FieldError[] {
  return values.length > 1 && values.includes("*") ? [invalidValue(path, values, `if '*' is present, must not specify other ${what}`)] : [];
}

/** A number that may be absent but not negative. */
export function nonNegative(parent: Fields, name: string, path: FieldPath): readonly FieldError[] {
  const value = numberField(parent, name) ?? 0;
  return value < 0 ? [invalidValue(path.child(name), value, "must be greater than or equal to 0")] : [];
}

/** A text that must be a DNS label. */
export function labelErrors(value: string, path: FieldPath): readonly FieldError[] {
  return dns1123LabelErrors(value).map((problem) => invalidValue(path, value, problem));
}

/** A text that must be a DNS subdomain. */
export function subdomainErrors(value: string, path: FieldPath): readonly FieldError[] {
  return dns1123SubdomainErrors(value).map((problem) => invalidValue(path, value, problem));
}

/** A text that must be a name with an optional DNS prefix. */
export function qualifiedErrors(value: string, path: FieldPath): readonly FieldError[] {
  return qualifiedNameErrors(value).map((problem) => invalidValue(path, value, problem));
}

/** One error for each sentence about a value; none if there is nothing to say. */
export function invalidFor(path: FieldPath, value: unknown, problems: readonly string[]): readonly FieldError[] {
  return problems.map((problem) => invalidValue(path, value, problem));
}

/** Applies rules to each of a list's items, at the item's path. */
export function eachItem(
  items: readonly JsonObject[],
  path: FieldPath,
  validate: (item: JsonObject, path: FieldPath, index: number) => readonly FieldError[],
): readonly FieldError[] {
  return items.flatMap((item, index) => validate(item, path.index(index), index));
}

/** Numbers that may be absent but not negative. */
export function nonNegatives(parent: Fields, names: readonly string[], path: FieldPath): readonly FieldError[] {
  return names.flatMap((name) => nonNegative(parent, name, path));
}

/** Numbers that may not be greater than another one, of the same parent. */
export function atMost(
  parent: Fields,
  names: readonly string[],
  path: FieldPath,
  { limit, rule }: { readonly limit: string; readonly rule: string },
): readonly FieldError[] {
  const most = numberField(parent, limit) ?? 0;
  return names.flatMap((name) => {
    const value = numberField(parent, name) ?? 0;
    return value > most ? [invalidValue(path.child(name), value, rule)] : [];
  });
}

/** A text that must be there, and is checked further if it is. */
export function requiredText(
  parent: Fields,
  name: string,
  path: FieldPath,
  problems: (value: string) => readonly string[],
): readonly FieldError[] {
  const value = stringField(parent, name);
  return value === "" ? [required(path.child(name))] : invalidFor(path.child(name), value, problems(value));
}

/** Fields that must stay as they are. */
export function immutable(next: Fields, old: Fields, names: readonly string[], path: FieldPath): readonly FieldError[] {
  return names
    .filter((name) => !isUnchanged(next, old, name))
    .map((name) => invalidValue(path.child(name), field(next, name), "field is immutable"));
}

/** A field that must stay as it is, with a word on why. */
export function forbidChange(next: Fields, old: Fields, path: FieldPath, name: string, why: string): readonly FieldError[] {
  return isUnchanged(next, old, name) ? [] : [forbiddenField(path.child(name), why)];
}

/** Whether a field of a struct has not changed, where an empty list or map is none: that is how it is before an update is prepared. */
export function isUnchangedIn(struct: string, next: Fields, old: Fields, name: string): boolean {
  const kept = (object: Fields): JsonObject => structSchemas.kept({ [name]: field(object, name) }, struct);
  return isUnchanged(kept(next), kept(old), name);
}

/** Whether a field has not changed. */
export function isUnchanged(next: Fields, old: Fields, name: string): boolean {
  return structuralEqual(field(next, name), field(old, name));
}
