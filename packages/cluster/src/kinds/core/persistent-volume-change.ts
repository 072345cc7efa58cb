import { FieldPath, forbiddenField, invalidValue, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapField, mapItems, withoutFields } from "../field-defaults.ts";
import { internalForm } from "../internal-form.ts";
import { field, has, objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { presentNodeLabel } from "./node-label.ts";
import { volumeSourceDiff } from "./spec-diff.ts";

const specPath = FieldPath.of("spec");

/** What is wrong with how a volume changed: where its data is stays as it is. */
export function volumeChangeErrors(volume: DynamicObject, old: DynamicObject, sources: readonly string[]): readonly FieldError[] {
  const oldSpec = objectField(old, "spec");
  const spec = withoutLateSecret(objectField(volume, "spec"), oldSpec);
  const errors: FieldError[] = [];
  if (sources.some((name) => !structuralEqual(field(spec, name), field(oldSpec, name)))) {
    const why = `spec.persistentvolumesource is immutable after creation\n${volumeSourceDiff(oldSpec, spec)}`;
    errors.push(forbiddenField(specPath.child("persistentvolumesource"), why));
  }
  if (!structuralEqual(field(spec, "volumeMode"), field(oldSpec, "volumeMode"))) {
    errors.push(invalidValue(FieldPath.of("volumeMode"), field(spec, "volumeMode"), "field is immutable"));
  }
  errors.push(...affinityErrors(optionalObject(spec, "nodeAffinity"), optionalObject(oldSpec, "nodeAffinity")));
  if (has(oldSpec, "volumeAttributesClassName") && !has(spec, "volumeAttributesClassName")) {
    errors.push(forbiddenField(specPath.child("volumeAttributesClassName"), "update from non-nil value to nil is forbidden"));
  }
  return errors;
}

/** A CSI volume may be given later the secret that is needed to expand it. */
function withoutLateSecret(spec: JsonObject, old: JsonObject): JsonObject {
  const isLate = has(old, "csi") && !has(objectField(old, "csi"), "controllerExpandSecretRef");
  return isLate ? mapField(spec, "csi", (source) => withoutFields(source, "controllerExpandSecretRef")) : spec;
}

function affinityErrors(affinity: JsonObject | undefined, old: JsonObject | undefined): readonly FieldError[] {
  if (old === undefined || structuralEqual(affinity, withPresentLabels(old, affinity ?? {}))) return [];
  const shown = affinity === undefined ? null : internalForm("core.v1.VolumeNodeAffinity", affinity);
  return [invalidValue(FieldPath.of("nodeAffinity"), shown, "field is immutable, except for updating from beta label to GA")];
}

/** The old affinity with labels as they are called today, where the new one has them so. */
function withPresentLabels(old: JsonObject, affinity: JsonObject): JsonObject {
  const terms = objectsField(objectField(affinity, "required"), "nodeSelectorTerms");
  return mapField(old, "required", (selector) => {
    let index = 0;
    return mapItems(selector, "nodeSelectorTerms", (term) => {
      const next = terms[index++] ?? {};
      return ["matchExpressions", "matchFields"].reduce((result, list) => withPresentKeys(result, next, list), term);
    });
  });
}

function withPresentKeys(term: JsonObject, next: JsonObject, list: string): JsonObject {
  const rules = objectsField(next, list);
  let index = 0;
  return mapItems(term, list, (rule) => {
    const key = stringField(rules[index++], "key");
    return key !== "" && presentNodeLabel(stringField(rule, "key")) === key ? { ...rule, key } : rule;
  });
}
