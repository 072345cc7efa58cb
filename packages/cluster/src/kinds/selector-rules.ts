import { compileSelector, invalidValue, validateLabelSelector } from "@kaji/core";
import type { FieldError, FieldPath, LabelSelector } from "@kaji/core";
import { isUnchanged } from "./field-rules.ts";
import { optionalObject } from "./json-fields.ts";
import type { Fields } from "./json-fields.ts";
import { structSchemas } from "./struct-schemas.ts";

/** A selector of labels, as it is shown; the schema has made sure that it has that shape. */
export function selectorField(parent: Fields, name: string): LabelSelector | undefined {
  const selector = optionalObject(parent, name);
  return selector === undefined ? undefined : structSchemas.shown(selector, "meta.v1.LabelSelector");
}

/** A selector that must stay as it is. */
export function immutableSelector(next: Fields, old: Fields, path: FieldPath): readonly FieldError[] {
  if (isUnchanged(next, old, "selector")) return [];
  return [invalidValue(path.child("selector"), selectorField(next, "selector"), "field is immutable")];
}

/** What is wrong with a selector, where there is one. */
export function selectorErrors(parent: Fields, name: string, path: FieldPath): readonly FieldError[] {
  const selector = selectorField(parent, name);
  return selector === undefined ? [] : validateLabelSelector(selector, path.child(name));
}

/** Whether a selector makes sense as a whole. */
export function isSelector(selector: LabelSelector): boolean {
  return selectorText(selector) !== "<error>";
}

/** A selector as tables show it; one that selects everything, or nothing at all, is `<none>`. */
export function formatSelector(selector: LabelSelector | undefined): string {
  return selectorText(selector) || "<none>";
}

/** A selector in the form a query has it; `<error>` when it makes no sense. */
export function selectorText(selector: LabelSelector | undefined): string {
  try {
    return compileSelector(selector).toString();
  } catch {
    return "<error>";
  }
}
