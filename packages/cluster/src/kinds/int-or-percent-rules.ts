import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath, IntOrString } from "@kaji/core";
import { invalidFor } from "./field-rules.ts";
import { field } from "./json-fields.ts";
import type { Fields } from "./json-fields.ts";
import { percentErrors } from "./text-rules.ts";

/** A number, or a share of all such as `25%`; absent is 0. */
export function intOrPercent(parent: Fields, name: string): IntOrString {
  const value = field(parent, name);
  return typeof value === "string" || typeof value === "number" ? value : 0;
}

/** Checks that it is a number not below zero, or a share. */
export function validateIntOrPercent(parent: Fields, path: FieldPath, name: string): readonly FieldError[] {
  const value = intOrPercent(parent, name);
  if (typeof value === "string") return invalidFor(path.child(name), value, percentErrors(value));
  return value < 0 ? [invalidValue(path.child(name), value, "must be greater than or equal to 0")] : [];
}

/** Checks that a share is not more than all. */
export function validateNotAboveAll(parent: Fields, path: FieldPath, name: string): readonly FieldError[] {
  const value = intOrPercent(parent, name);
  const isAbove = typeof value === "string" && percentErrors(value).length === 0 && Number.parseInt(value, 10) > 100;
  return isAbove ? [invalidValue(path.child(name), value, "must not be greater than 100%")] : [];
}

/** Whether it comes to nothing, as a number or as a share; so does text that is neither. */
export function isNone(value: IntOrString): boolean {
  if (typeof value === "number") return value === 0;
  return !/^[-+]?\d+%?$/.test(value) || Number.parseInt(value, 10) === 0;
}
