import { isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/** What an item of a list is known by, if anything. */
export function itemName(item: JsonValue | undefined): string {
  const name = item !== undefined && isJsonObject(item) ? (item["type"] ?? item["name"]) : undefined;
  return typeof name === "string" ? name : "";
}
