import { invalidValue, tooLong } from "@kaji/core";
import type { FieldError, FieldPath, ManagedFieldsEntry } from "@kaji/core";
import { firstUnprintable } from "../request/unprintable.ts";

/** The longest name of whoever writes fields. */
export const longestManagerBytes = 128;
const longestSubresourceBytes = 256;

/** What is wrong with the name of whoever writes fields. */
export function validateManager(manager: string, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > longestManagerBytes) errors.push(tooLong(path, longestManagerBytes));
  const unprintable = firstUnprintable(manager);
  if (unprintable !== undefined) {
    const code = (manager.codePointAt(unprintable) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const position = Buffer.byteLength(manager.slice(0, unprintable));
    errors.push(invalidValue(path, manager, `invalid character U+${code} (at position ${position})`));
  }
  return errors;
}

/** What is wrong with the owners that an object names, apart from what they own. */
export function validateManagers(entries: readonly ManagedFieldsEntry[], path: FieldPath): readonly FieldError[] {
  return entries.flatMap((entry, index) => entryErrors(entry, path.index(index)));
}

function entryErrors(
  { manager = "", operation, fieldsType, subresource = "" }: ManagedFieldsEntry,
  path: FieldPath,
): readonly FieldError[] {
  const type: string = fieldsType ?? "";
  return [
    ...(operation === "Apply" || operation === "Update"
      ? []
      : [invalidValue(path.child("operation"), operation ?? "", "must be `Apply` or `Update`")]),
    ...(type === "" || type === "FieldsV1" ? [] : [invalidValue(path.child("fieldsType"), type, "must be `FieldsV1`")]),
    ...validateManager(manager, path.child("manager")),
    ...(Buffer.byteLength(subresource) > longestSubresourceBytes ? [tooLong(path.child("subresource"), longestSubresourceBytes)] : []),
  ];
}
