import { compileSelector, forbiddenField, invalidValue, required, validateLabelSelector } from "@kaji/core";
import type { DynamicObject, FieldError, FieldPath, JsonObject, LabelSelector } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapPart } from "../../field-defaults.ts";
import { field, has, objectField, stringField, stringMapField } from "../../json-fields.ts";
import { validatePodTemplate, withoutDisabledTemplateFields } from "../../pod-template.ts";
import { isSelector, selectorField } from "../../selector-rules.ts";

/** What is wrong with a selector that must be there, and must select something less than everything. */
export function validateOwnSelector(spec: JsonObject, path: FieldPath, kind: string): readonly FieldError[] {
  const selector = selectorField(spec, "selector");
  const at = path.child("selector");
  if (selector === undefined) return [required(at)];
  const errors = validateLabelSelector(selector, at);
  return isEmptySelector(selector) ? [...errors, invalidValue(at, selector, `empty selector is invalid for ${kind}`)] : errors;
}

/** An object whose template has no fields of features that are off. */
export function withoutDisabled(object: DynamicObject): DynamicObject {
  return mapPart(object, "spec", (spec) => mapField(spec, "template", withoutDisabledTemplateFields));
}

/** Whether a selector selects everything. */
export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

/** What is wrong with the template of pods that a selector must find and that run until they are stopped. */
export function validateReplicaTemplate(
  spec: JsonObject,
  path: FieldPath,
  rule: { readonly selector: string; readonly kind: string },
): readonly FieldError[] {
  const selector = selectorField(spec, "selector");
  if (selector !== undefined && !isSelector(selector)) return [invalidValue(path.child("selector"), selector, rule.selector)];
  const template = objectField(spec, "template");
  const at = path.child("template");
  return [...validateSelected(template, at, selector), ...validatePodTemplate(template, at), ...validateLasting(template, at, rule.kind)];
}

/** Whether pods of a template would be found by its owner's selector, one without conditions aside. */
export function validateSelected(template: JsonObject, path: FieldPath, selector: LabelSelector | undefined): readonly FieldError[] {
  const metadata = objectField(template, "metadata");
  const isFound =
    selector !== undefined && (isEmptySelector(selector) || compileSelector(selector).matches(stringMapField(metadata, "labels")));
  return isFound
    ? []
    : [invalidValue(path.child("metadata", "labels"), field(metadata, "labels"), "`selector` does not match template `labels`")];
}

/** What is wrong with pods that must be restarted whenever they end. */
export function validateLasting(template: JsonObject, path: FieldPath, kind: string): readonly FieldError[] {
  const spec = objectField(template, "spec");
  const policy = stringField(spec, "restartPolicy");
  return [
    ...(policy === "Always" ? [] : [notEnumerated(path.child("spec", "restartPolicy"), policy, ["Always"])]),
    ...(has(spec, "activeDeadlineSeconds")
      ? [forbiddenField(path.child("spec", "activeDeadlineSeconds"), `activeDeadlineSeconds in ${kind} is not Supported`)]
      : []),
  ];
}
