import type { JsonObject } from "@kaji/core";
import { objectsField, stringField } from "./json-fields.ts";

/** Whether a status has a condition of that type which is true. */
export function hasTrueCondition(status: JsonObject, type: string): boolean {
  return objectsField(status, "conditions").some((each) => stringField(each, "type") === type && stringField(each, "status") === "True");
}
