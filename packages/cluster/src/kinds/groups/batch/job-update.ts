import { FieldPath, invalidValue, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { withoutFields } from "../../field-defaults.ts";
import { immutable, isUnchanged } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { booleanField, has, numberField, objectField, objectsField } from "../../json-fields.ts";
import { immutableSelector } from "../../selector-rules.ts";
import { isIndexed } from "./job-spec.ts";
import { hasTrueCondition } from "../../true-condition.ts";

const path = FieldPath.of("spec");

/** What may not change in a job. */
export function validateJobChange(job: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [spec, before] = [objectField(job, "spec"), objectField(old, "spec")];
  return [
    ...validateCompletions(spec, before),
    ...immutableSelector(spec, before, path),
    ...validateTemplate(spec, before, objectField(old, "status")),
    ...immutable(spec, before, ["completionMode"], path),
    ...fixed("batch.v1.PodFailurePolicy", spec, before, "podFailurePolicy"),
    ...immutable(spec, before, ["backoffLimitPerIndex", "managedBy"], path),
    ...fixed("batch.v1.SuccessPolicy", spec, before, "successPolicy"),
  ];
}

/** An Indexed job may grow and shrink as long as all of its pods run at a time. */
function validateCompletions(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  if (!isIndexed(spec)) return immutable(spec, before, ["completions"], path);
  const completions = numberField(spec, "completions");
  if (completions === undefined || isUnchanged(spec, before, "completions") || completions === numberField(spec, "parallelism")) return [];
  return [invalidValue(path.child("completions"), completions, "can only be modified in tandem with spec.parallelism")];
}

/** The template stays as it is, but for a job that is suspended and has no pods: that may still be placed and sized. */
function validateTemplate(spec: JsonObject, before: JsonObject, status: JsonObject): readonly FieldError[] {
  const [template, old] = [objectField(spec, "template"), objectField(before, "template")];
  if (!isResting(before, status)) return fixed("core.v1.PodTemplateSpec", spec, before, "template");
  const isSame = structuralEqual(fixedParts(template), fixedParts(old));
  if (isSame) return [];
  return [
    invalidValue(path.child("template", "spec"), internalForm("core.v1.PodSpec", objectField(template, "spec")), "field is immutable"),
  ];
}

/** An object that stays as it is. */
function fixed(struct: string, spec: JsonObject, before: JsonObject, name: string): readonly FieldError[] {
  if (isUnchanged(spec, before, name)) return [];
  const shown = has(spec, name) ? internalForm(struct, objectField(spec, name)) : null;
  return [invalidValue(path.child(name), shown, "field is immutable")];
}

function isResting(spec: JsonObject, status: JsonObject): boolean {
  const isSuspended = hasTrueCondition(status, "Suspended");
  return booleanField(spec, "suspend") && (!has(status, "startTime") || isSuspended) && (numberField(status, "active") ?? 0) === 0;
}

function fixedParts(template: JsonObject): JsonObject {
  const { nodeAffinity: _nodeAffinity, ...affinity } = objectField(objectField(template, "spec"), "affinity");
  const spec = withoutFields(objectField(template, "spec"), "affinity", "nodeSelector", "tolerations", "schedulingGates");
  const unsized = (name: string): readonly JsonObject[] =>
    objectsField(spec, name).map((container) => withoutFields(container, "resources"));
  return { ...spec, affinity, containers: unsized("containers"), initContainers: unsized("initContainers") };
}
