import { textAt, valueAt } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/** What an item of a list is known by, if anything. */
export function itemName(item: JsonValue | undefined): string {
  return textAt(valueAt(item, "type") ?? valueAt(item, "name"));
}
