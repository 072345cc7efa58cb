import { FieldPath } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapField, mapPart, withDefaults } from "../../field-defaults.ts";
import { atMost, nonNegatives } from "../../field-rules.ts";
import { numberField, objectField, specOf } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { defaultPodTemplate } from "../../pod-template.ts";
import { immutableSelector } from "../../selector-rules.ts";
import { ownedTemplateWarnings, podOwnerNameWarnings } from "../pod-owner-warnings.ts";
import { containerColumns, selectorColumn } from "../pod-template-columns.ts";
import { replicasScale } from "./replicas-scale.ts";
import { validateOwnSelector, validateReplicaTemplate, withoutDisabled } from "./replica-template.ts";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");

/** `ReplicaSet`: a number of pods of one template. */
export const replicaSet: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", (spec) => mapField(withDefaults(spec, { replicas: 1 }), "template", defaultPodTemplate)),
    validateCreate: validateSpec,
    validateUpdate: (object, old) => [...validateSpec(object), ...immutableSelector(specOf(object), specOf(old), specPath)],
    warnings: (object, old) => [...podOwnerNameWarnings(object, old), ...ownedTemplateWarnings(object, old, specOf(object), specPath)],
    prepareCreate: withoutDisabled,
    prepareUpdate: withoutDisabled,
  },
  status: { validateUpdate: (object) => validateStatus(objectField(object, "status")) },
  subresources: { scale: replicasScale },
  columns: [
    nameColumn,
    { name: "Desired", type: "integer", description: "replicas that are wanted", cell: (object) => countOf(specOf(object), "replicas") },
    {
      name: "Current",
      type: "integer",
      description: "replicas that are there",
      cell: (object) => countOf(objectField(object, "status"), "replicas"),
    },
    {
      name: "Ready",
      type: "integer",
      description: "replicas that are ready",
      cell: (object) => countOf(objectField(object, "status"), "readyReplicas"),
    },
    ageColumn,
    ...containerColumns(specOf),
    selectorColumn(specOf),
  ],
};

/** The real server speaks of deployments here, too. */
function validateSpec(object: DynamicObject): readonly FieldError[] {
  return [
    ...nonNegatives(specOf(object), ["replicas", "minReadySeconds"], specPath),
    ...validateOwnSelector(specOf(object), specPath, "deployment"),
    ...validateReplicaTemplate(specOf(object), specPath, { selector: "invalid label selector", kind: "ReplicaSet" }),
  ];
}

function validateStatus(status: JsonObject): readonly FieldError[] {
  const counts = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration", "terminatingReplicas"];
  return [
    ...nonNegatives(status, counts, statusPath),
    ...atMost(status, ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"], statusPath, {
      limit: "replicas",
      rule: "cannot be greater than status.replicas",
    }),
    ...atMost(status, ["availableReplicas"], statusPath, { limit: "readyReplicas", rule: "cannot be greater than readyReplicas" }),
  ];
}

function countOf(parent: JsonObject, name: string): number {
  return numberField(parent, name) ?? 0;
}
