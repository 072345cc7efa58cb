import { FieldPath, forbiddenField, invalidValue, required, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapPart, withDefaults, withPresence } from "../../field-defaults.ts";
import { atMost, nonNegative, nonNegatives } from "../../field-rules.ts";
import { intOrPercent, isNone, validateIntOrPercent, validateNotAboveAll } from "../../int-or-percent-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { numberField, objectField, optionalObject, specOf, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { defaultPodTemplate } from "../../pod-template.ts";
import { immutableSelector, selectorField, selectorText } from "../../selector-rules.ts";
import { ownedTemplateWarnings, podOwnerNameWarnings } from "../pod-owner-warnings.ts";
import { containerColumns } from "../pod-template-columns.ts";
import { validateCollisionCount } from "./collision-count.ts";
import { replicasScale } from "./replicas-scale.ts";
import { validateOwnSelector, validateReplicaTemplate, withoutDisabled } from "./replica-template.ts";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");

/** `Deployment`: pods that are replaced step by step when their template changes. */
export const deployment: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", defaultSpec),
    prepareCreate: withoutDisabled,
    prepareUpdate: (object, old) => withAnnotationGeneration(withoutDisabled(object), old),
    validateCreate: validateSpec,
    validateUpdate: (object, old) => [...validateSpec(object), ...immutableSelector(specOf(object), specOf(old), specPath)],
    warnings: (object, old) => [...podOwnerNameWarnings(object, old), ...ownedTemplateWarnings(object, old, specOf(object), specPath)],
  },
  status: {
    resetFields: [["spec"], ["metadata", "labels"]],
    prepareUpdate: withOldLabels,
    validateUpdate: (object, old) => [...validateStatus(objectField(object, "status")), ...validateCollisionCount(object, old)],
  },
  subresources: { scale: replicasScale },
  columns: [
    nameColumn,
    { name: "Ready", type: "string", description: "replicas that are ready, of those wanted", cell: readyCell },
    {
      name: "Up-to-date",
      type: "string",
      description: "replicas of the newest template",
      cell: (object) => statusCount(object, "updatedReplicas"),
    },
    {
      name: "Available",
      type: "string",
      description: "replicas that have been ready long enough",
      cell: (object) => statusCount(object, "availableReplicas"),
    },
    ageColumn,
    ...containerColumns(specOf),
    {
      name: "Selector",
      type: "string",
      priority: 1,
      description: "which pods are its own",
      cell: (object) => selectorText(selectorField(specOf(object), "selector")),
    },
  ],
};

function defaultSpec(spec: JsonObject): JsonObject {
  const complete = withDefaults(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  return mapField({ ...complete, strategy: defaultStrategy(objectField(spec, "strategy")) }, "template", defaultPodTemplate);
}

function defaultStrategy(given: JsonObject): JsonObject {
  const strategy = withDefaults(given, { type: "RollingUpdate" });
  if (strategy["type"] !== "RollingUpdate") return strategy;
  return { ...strategy, rollingUpdate: withPresence(objectField(strategy, "rollingUpdate"), { maxUnavailable: "25%", maxSurge: "25%" }) };
}

/** Annotations are handed on to replica sets, so a change of them counts as one of the spec. */
function withAnnotationGeneration(object: DynamicObject, old: DynamicObject): DynamicObject {
  if (structuralEqual(object.metadata.annotations ?? {}, old.metadata.annotations ?? {})) return object;
  return { ...object, metadata: { ...object.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
}

function withOldLabels(object: DynamicObject, old: DynamicObject): DynamicObject {
  const { labels: _labels, ...metadata } = object.metadata;
  const { labels } = old.metadata;
  return { ...object, metadata: labels === undefined ? metadata : { ...metadata, labels } };
}

function validateSpec(object: DynamicObject): readonly FieldError[] {
  const spec = specOf(object);
  const deadline = numberField(spec, "progressDeadlineSeconds");
  const isTooSoon = deadline !== undefined && deadline <= (numberField(spec, "minReadySeconds") ?? 0);
  return [
    ...nonNegative(spec, "replicas", specPath),
    ...validateOwnSelector(spec, specPath, "deployment"),
    ...validateReplicaTemplate(spec, specPath, { selector: "invalid label selector", kind: "ReplicaSet" }),
    ...validateStrategy(objectField(spec, "strategy"), specPath.child("strategy")),
    ...nonNegatives(spec, ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"], specPath),
    ...(isTooSoon ? [invalidValue(specPath.child("progressDeadlineSeconds"), deadline, "must be greater than minReadySeconds")] : []),
  ];
}

function validateStrategy(strategy: JsonObject, path: FieldPath): readonly FieldError[] {
  const rollingUpdate = optionalObject(strategy, "rollingUpdate");
  const at = path.child("rollingUpdate");
  switch (stringField(strategy, "type")) {
    case "Recreate":
      return rollingUpdate === undefined ? [] : [forbiddenField(at, "may not be specified when strategy `type` is 'Recreate'")];
    case "RollingUpdate":
      return rollingUpdate === undefined
        ? [required(at, "this should be defaulted and never be nil")]
        : validateRollingUpdate(rollingUpdate, at);
    default:
      return [
        notEnumerated(
          path,
          internalForm(
            "apps.v1.DeploymentStrategy",
            mapField(strategy, "rollingUpdate", (given) => ({ maxUnavailable: 0, maxSurge: 0, ...given })),
          ),
          ["Recreate", "RollingUpdate"],
        ),
      ];
  }
}

function validateRollingUpdate(rollingUpdate: JsonObject, path: FieldPath): readonly FieldError[] {
  const [unavailable, surge] = [intOrPercent(rollingUpdate, "maxUnavailable"), intOrPercent(rollingUpdate, "maxSurge")];
  return [
    ...validateIntOrPercent(rollingUpdate, path, "maxUnavailable"),
    ...validateIntOrPercent(rollingUpdate, path, "maxSurge"),
    ...(isNone(unavailable) && isNone(surge)
      ? [invalidValue(path.child("maxUnavailable"), unavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...validateNotAboveAll(rollingUpdate, path, "maxUnavailable"),
  ];
}

function validateStatus(status: JsonObject): readonly FieldError[] {
  const counts = [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ];
  return [
    ...nonNegatives(status, counts, statusPath),
    ...atMost(status, ["updatedReplicas", "readyReplicas", "availableReplicas"], statusPath, {
      limit: "replicas",
      rule: "cannot be greater than status.replicas",
    }),
    ...atMost(status, ["availableReplicas"], statusPath, { limit: "readyReplicas", rule: "cannot be greater than readyReplicas" }),
  ];
}

function readyCell(object: DynamicObject): string {
  return `${statusCount(object, "readyReplicas")}/${numberField(specOf(object), "replicas") ?? 0}`;
}

function statusCount(object: DynamicObject, name: string): number {
  return numberField(objectField(object, "status"), name) ?? 0;
}
