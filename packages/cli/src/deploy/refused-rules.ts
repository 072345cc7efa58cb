import { ApiError, isJsonArray, isJsonObject, jsonOf } from "@kaji/core";
import type { JsonValue, KubeObject } from "@kaji/core";

/**
 * What a server says of the rules of a definition, such as that one may cost too much, names their places in it alone. These are the rules
 * that an error is about, each with the field that it is a rule of.
 */
export function refusedRules(error: unknown, definition: KubeObject): readonly string[] {
  if (!(error instanceof ApiError) || definition.kind !== "CustomResourceDefinition") return [];
  const places = new Set(error.details?.causes?.map(({ field = "" }) => field));
  return [...places].flatMap((place) => {
    const steps = stepsOf(place);
    const at = steps.indexOf("openAPIV3Schema");
    const text = steps.includes("x-kubernetes-validations") ? valueAt(jsonOf(definition), steps) : undefined;
    return typeof text === "string" ? [`${steps.at(-1)} of ${fieldOf(steps.slice(at + 1))}: ${text}`] : [];
  });
}

/** The steps of a path such as `spec.versions[0].schema`. What all versions share is where it is in the first. */
function stepsOf(place: string): readonly string[] {
  const shared = place.replace(/^spec\.validation\./, "spec.versions[0].schema.");
  return Array.from(shared.matchAll(/\[([^\]]*)\]|[^.[\]]+/g), ([step, inBrackets]) => inBrackets ?? step);
}

function valueAt(value: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let part: JsonValue | undefined = value;
  for (const step of steps) {
    if (isJsonArray(part)) part = part[Number(step)];
    else part = isJsonObject(part) && Object.hasOwn(part, step) ? part[step] : undefined;
  }
  return part;
}

/** The field of an object that a part of its schema is about; what is in lists and maps is `[*]`. */
function fieldOf(steps: readonly string[]): string {
  let field = "";
  for (let index = 0; index < steps.length && steps[index] !== "x-kubernetes-validations"; index++) {
    if (steps[index] === "properties") field += `.${steps[++index]}`;
    else field += "[*]";
  }
  return field === "" ? "the object" : field.replace(/^\./, "");
}
