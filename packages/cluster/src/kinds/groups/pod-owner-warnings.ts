import { dns1123LabelErrors } from "@kaji/core";
import type { DynamicObject, FieldPath, JsonObject } from "@kaji/core";
import { objectField } from "../json-fields.ts";
import { podTemplateWarnings } from "../pod-template.ts";

/** What the author of something that makes pods should know of its name: one that is no label makes odd host names. */
export function podOwnerNameWarnings(object: DynamicObject, old: DynamicObject | undefined): readonly string[] {
  const problems = old === undefined ? dns1123LabelErrors(object.metadata.name) : [];
  const advice =
    "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended";
  return problems.length === 0 ? [] : [`${advice}: [${problems.join(" ")}]`];
}

/** What they should know of the template in a `spec`, whenever the object is a new one or of a new generation. */
export function ownedTemplateWarnings(
  object: DynamicObject,
  old: DynamicObject | undefined,
  spec: JsonObject,
  path: FieldPath,
): readonly string[] {
  const isNew = old === undefined || old.metadata.generation !== object.metadata.generation;
  return isNew ? podTemplateWarnings(objectField(spec, "template"), path.child("template")) : [];
}
