import { FieldPath, badRequest, compileSelector, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapPart, withDefaults, withPresence } from "../../field-defaults.ts";
import { isUnchanged, isUnchangedIn, nonNegative, nonNegatives } from "../../field-rules.ts";
import { intOrPercent, isNone, validateIntOrPercent, validateNotAboveAll } from "../../int-or-percent-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { field, numberField, objectField, optionalObject, specOf, stringField, stringMapField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { formatLabels } from "../../labels-text.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { defaultPodTemplate, validatePodTemplate } from "../../pod-template.ts";
import { immutableSelector, isSelector, selectorErrors, selectorField } from "../../selector-rules.ts";
import { ownedTemplateWarnings } from "../pod-owner-warnings.ts";
import { containerColumns, selectorColumn } from "../pod-template-columns.ts";
import { validateCollisionCount } from "./collision-count.ts";
import { isEmptySelector, validateLasting, withoutDisabled } from "./replica-template.ts";

const specPath = FieldPath.of("spec");
/** Counts the changes of the template; older versions of the kind had a field for it. */
const templateGeneration = "deprecated.daemonset.template.generation";

/** `DaemonSet`: a pod on every node. */
export const daemonSet: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    default: (object) => withTemplateGeneration(mapPart(object, "spec", defaultSpec), generationOf(object)),
    prepareCreate: (object) => withTemplateGeneration(withoutDisabled(object), Math.max(1, generationOf(object))),
    prepareUpdate: (object, old) => withNextTemplateGeneration(withoutDisabled(object), old),
    validateCreate: validateSpec,
    validateUpdate: (object, old) => [...immutableSelector(specOf(object), specOf(old), specPath), ...validateSpec(object)],
    warnings: (object, old) =>
      old !== undefined && isUnchanged(specOf(object), specOf(old), "template")
        ? []
        : ownedTemplateWarnings(object, old, specOf(object), specPath),
  },
  status: {
    prepareUpdate: (object, old) => withTemplateGeneration(object, generationOf(old)),
    validateUpdate: (object, old) => [...validateStatus(objectField(object, "status")), ...validateCollisionCount(object, old)],
  },
  columns: [
    nameColumn,
    countColumn("Desired", "desiredNumberScheduled", "nodes that should have a pod"),
    countColumn("Current", "currentNumberScheduled", "nodes that should have a pod and do"),
    countColumn("Ready", "numberReady", "pods that are ready"),
    countColumn("Up-to-date", "updatedNumberScheduled", "pods of the newest template"),
    countColumn("Available", "numberAvailable", "pods that have been ready long enough"),
    { name: "Node Selector", type: "string", description: "which nodes are meant", cell: nodeSelectorCell },
    ageColumn,
    ...containerColumns(specOf),
    selectorColumn(specOf),
  ],
};

function defaultSpec(spec: JsonObject): JsonObject {
  const complete = withDefaults(spec, { revisionHistoryLimit: 10 });
  return mapField({ ...complete, updateStrategy: defaultStrategy(objectField(spec, "updateStrategy")) }, "template", defaultPodTemplate);
}

function defaultStrategy(given: JsonObject): JsonObject {
  const strategy = withDefaults(given, { type: "RollingUpdate" });
  if (strategy["type"] !== "RollingUpdate") return strategy;
  return { ...strategy, rollingUpdate: withPresence(objectField(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 0 }) };
}

function generationOf({ metadata }: DynamicObject): number {
  const text = metadata.annotations?.[templateGeneration] ?? "0";
  if (/^[+-]?\d{1,18}$/.test(text)) return Number(text);
  throw badRequest(
    `DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

function withNextTemplateGeneration(object: DynamicObject, old: DynamicObject): DynamicObject {
  const isSame = isUnchangedIn("apps.v1.DaemonSetSpec", specOf(object), specOf(old), "template");
  return withTemplateGeneration(object, generationOf(old) + (isSame ? 0 : 1));
}

function withTemplateGeneration(object: DynamicObject, generation: number): DynamicObject {
  const annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function validateSpec(object: DynamicObject): readonly FieldError[] {
  const spec = specOf(object);
  const selector = selectorField(spec, "selector");
  const template = objectField(spec, "template");
  const labels = objectField(template, "metadata");
  const isFound =
    selector === undefined ? false : !isSelector(selector) || compileSelector(selector).matches(stringMapField(labels, "labels"));
  const path = specPath.child("template");
  return [
    ...selectorErrors(spec, "selector", specPath),
    ...(isFound
      ? []
      : [invalidValue(path.child("metadata", "labels"), field(labels, "labels"), "`selector` does not match template `labels`")]),
    ...(selector !== undefined && isEmptySelector(selector)
      ? [invalidValue(specPath.child("selector"), selector, "empty selector is invalid for daemonset")]
      : []),
    ...validatePodTemplate(template, path),
    ...validateLasting(template, path, "DaemonSet"),
    ...nonNegative(spec, "minReadySeconds", specPath),
    ...validateStrategy(objectField(spec, "updateStrategy"), specPath.child("updateStrategy")),
    ...nonNegative(spec, "revisionHistoryLimit", specPath),
  ];
}

function validateStrategy(strategy: JsonObject, path: FieldPath): readonly FieldError[] {
  const rollingUpdate = optionalObject(strategy, "rollingUpdate");
  switch (stringField(strategy, "type")) {
    case "OnDelete":
      return [];
    case "RollingUpdate":
      return rollingUpdate === undefined
        ? [required(path.child("rollingUpdate"))]
        : validateRollingUpdate(rollingUpdate, path.child("rollingUpdate"));
    default:
      return [
        notEnumerated(
          path,
          internalForm(
            "apps.v1.DaemonSetUpdateStrategy",
            mapField(strategy, "rollingUpdate", (given) => ({ maxUnavailable: 0, maxSurge: 0, ...given })),
          ),
          ["RollingUpdate", "OnDelete"],
        ),
      ];
  }
}

function validateRollingUpdate(rollingUpdate: JsonObject, path: FieldPath): readonly FieldError[] {
  const [unavailable, surge] = [intOrPercent(rollingUpdate, "maxUnavailable"), intOrPercent(rollingUpdate, "maxSurge")];
  const errors = [
    ...validateIntOrPercent(rollingUpdate, path, "maxUnavailable"),
    ...validateIntOrPercent(rollingUpdate, path, "maxSurge"),
    ...validateNotAboveAll(rollingUpdate, path, "maxUnavailable"),
    ...validateNotAboveAll(rollingUpdate, path, "maxSurge"),
  ];
  if (isNone(unavailable) !== isNone(surge)) return errors;
  if (isNone(surge)) return [...errors, required(path.child("maxUnavailable"), "cannot be 0 when maxSurge is 0")];
  return [...errors, invalidValue(path.child("maxSurge"), surge, "may not be set when maxUnavailable is non-zero")];
}

function validateStatus(status: JsonObject): readonly FieldError[] {
  const counts = ["currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady", "observedGeneration"];
  return nonNegatives(
    status,
    [...counts, "updatedNumberScheduled", "numberAvailable", "numberUnavailable", "collisionCount"],
    FieldPath.of("status"),
  );
}

function countColumn(name: string, count: string, description: string): NonNullable<KindDetails["columns"]>[number] {
  return { name, type: "integer", description, cell: (object) => numberField(objectField(object, "status"), count) ?? 0 };
}

function nodeSelectorCell(object: DynamicObject): string {
  const selector = stringMapField(objectField(objectField(specOf(object), "template"), "spec"), "nodeSelector");
  return formatLabels(selector);
}
