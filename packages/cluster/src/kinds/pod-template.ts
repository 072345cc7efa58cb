import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { withoutDisabledFields } from "./core/pod-preparation.ts";
import { defaultPodSpec } from "./core/pod-spec-defaults.ts";
import { validatePodTemplateSpec } from "./core/pod-spec-validation.ts";
import { podWarnings } from "./core/pod-warnings.ts";
import { mapField } from "./field-defaults.ts";
import { objectField } from "./json-fields.ts";

/** Fills in what the template of a pod leaves out. */
export function defaultPodTemplate(template: JsonObject): JsonObject {
  return { ...template, spec: defaultPodSpec(objectField(template, "spec")) };
}

/** Drops the fields of features that are off by default. */
export function withoutDisabledTemplateFields(template: JsonObject): JsonObject {
  return mapField(template, "spec", withoutDisabledFields);
}

/** What is wrong with the template of a pod, which stands at this path. */
export function validatePodTemplate(template: JsonObject, path: FieldPath): readonly FieldError[] {
  return validatePodTemplateSpec(template, path);
}

/** What the author of a template at this path should know though it is allowed. */
export function podTemplateWarnings(template: JsonObject, path: FieldPath): readonly string[] {
  return podWarnings(template, path);
}
