import { objectAt } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";

/** A Pod without the node that a scheduler has chosen for it, which no record of fields has, and with the one that a user wrote; other objects as they are. */
export function withoutChosenNode({ kind, apiVersion }: DynamicObject, userFields: JsonObject, written: JsonObject): JsonObject {
  const isUsers = objectAt(userFields, "f:spec")["f:nodeName"] !== undefined;
  if (kind !== "Pod" || apiVersion !== "v1" || isUsers) return written;
  const { nodeName: _nodeName, ...spec } = objectAt(written, "spec");
  return { ...written, spec };
}
