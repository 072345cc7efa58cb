import { compileSelector, validateLabelSelector } from "@kaji/core";
import type { FieldError, FieldPath, LabelSelector } from "@kaji/core";
import { optionalObject } from "./json-fields.ts";
import type { Fields } from "./json-fields.ts";

/** A selector of labels; the schema has made sure that it has that shape. */
export function selectorField(parent: Fields, name: string): LabelSelector | undefined {
  return optionalObject(parent, name);
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
