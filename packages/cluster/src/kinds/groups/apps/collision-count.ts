import { FieldPath, invalidValue } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { numberField, objectField } from "../../json-fields.ts";

/** The count of hash collisions never goes down: revisions are named after it. */
export function validateCollisionCount(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [next, before] = [object, old].map((each) => numberField(objectField(each, "status"), "collisionCount"));
  const isDecremented = before !== undefined && (next ?? -1) < before;
  return isDecremented ? [invalidValue(FieldPath.of("status", "collisionCount"), next ?? 0, "cannot be decremented")] : [];
}
