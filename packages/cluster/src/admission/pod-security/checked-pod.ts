import type { JsonObject } from "@kaji/core";
import { objectField, objectsField, stringField, stringMapField } from "../../kinds/json-fields.ts";

/** A pod, or the template of pods, as checks look at it. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
  /** Its `securityContext`. */
  readonly security: JsonObject;
  /** All of them, in the order in which they are complained about: what runs first, what runs then, what is added later. */
  readonly containers: readonly CheckedContainer[];
}

/** A container as checks look at it. */
export interface CheckedContainer {
  readonly name: string;
  readonly fields: JsonObject;
  /** Its `securityContext`. */
  readonly security: JsonObject;
}

/** Makes a pod, or a template, ready to be checked. */
export function checkedPod(pod: Readonly<Record<string, unknown>>): CheckedPod {
  const spec = objectField(pod, "spec");
  return {
    annotations: stringMapField(objectField(pod, "metadata"), "annotations"),
    spec,
    security: objectField(spec, "securityContext"),
    containers: ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => objectsField(spec, list).map(checkedContainer)),
  };
}

/** Whether a pod says that it is for Windows. */
export function isWindows({ spec }: CheckedPod): boolean {
  return stringField(objectField(spec, "os"), "name") === "windows";
}

function checkedContainer(fields: JsonObject): CheckedContainer {
  return { name: stringField(fields, "name"), fields, security: objectField(fields, "securityContext") };
}
