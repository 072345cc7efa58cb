import type { DynamicObject, JsonObject } from "@kaji/core";
import { objectField, objectsField, stringField } from "../../kinds/json-fields.ts";

/** Whether an update changes what runs in a pod, and so must meet what is enforced by now: pods of before stay, but are not added to. */
export function isSignificantUpdate(pod: DynamicObject, before: DynamicObject): boolean {
  const [spec, oldSpec] = [objectField(pod, "spec"), objectField(before, "spec")];
  return (
    ["containers", "initContainers"].some((list) => isOtherList(objectsField(spec, list), objectsField(oldSpec, list))) ||
    hasNewEphemeral(objectsField(spec, "ephemeralContainers"), objectsField(oldSpec, "ephemeralContainers"))
  );
}

function isOtherList(containers: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  return containers.length !== before.length || containers.some((container, index) => imageOf(container) !== imageOf(before[index]));
}

function hasNewEphemeral(containers: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  return containers.some((container) => {
    const name = stringField(container, "name");
    const old = before.find((each) => stringField(each, "name") === name);
    return old === undefined || imageOf(container) !== imageOf(old);
  });
}

function imageOf(container: JsonObject | undefined): string {
  return stringField(container, "image");
}
