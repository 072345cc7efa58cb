import { FieldPath, invalidValue } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { validateConditions } from "../../condition-rules.ts";
import { nonNegatives, optionalOneOf } from "../../field-rules.ts";
import { validateIntOrPercent, validateNotAboveAll } from "../../int-or-percent-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { field, has, numberField, objectField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { selectorErrors } from "../../selector-rules.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";

/** `PodDisruptionBudget`: how many of a set of pods may be evicted at a time. */
export const podDisruptionBudget: KindDetails = {
  strategy: {
    generationOf: "spec",
    unconditionalUpdate: false,
    validateCreate: validateBudget,
    validateUpdate: validateBudget,
  },
  status: { validateUpdate: validateStatus },
  columns: [
    nameColumn,
    { name: "Min Available", type: "string", description: "how many pods must stay", cell: (object) => limitOf(object, "minAvailable") },
    {
      name: "Max Unavailable",
      type: "string",
      description: "how many pods may be missing",
      cell: (object) => limitOf(object, "maxUnavailable"),
    },
    {
      name: "Allowed Disruptions",
      type: "integer",
      description: "how many pods may go now",
      cell: (object) => numberField(objectField(object, "status"), "disruptionsAllowed") ?? 0,
    },
    ageColumn,
  ],
};

function validateBudget(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = objectField(object, "spec");
  const isDouble = has(spec, "minAvailable") && has(spec, "maxUnavailable");
  return [
    ...(isDouble
      ? [invalidValue(path, internalForm("policy.v1.PodDisruptionBudgetSpec", spec), "minAvailable and maxUnavailable cannot be both set")]
      : []),
    ...["minAvailable", "maxUnavailable"]
      .filter((name) => has(spec, name))
      .flatMap((name) => [...validateIntOrPercent(spec, path, name), ...validateNotAboveAll(spec, path, name)]),
    ...selectorErrors(spec, "selector", path),
    ...optionalOneOf(spec, "unhealthyPodEvictionPolicy", ["AlwaysAllow", "IfHealthyBudget"], path),
  ];
}

function validateStatus(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("status");
  const status = objectField(object, "status");
  return [
    ...validateConditions(status, path),
    ...nonNegatives(status, ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"], path),
  ];
}

function limitOf(object: DynamicObject, name: string): string {
  const limit = field(objectField(object, "spec"), name);
  return typeof limit === "string" || typeof limit === "number" ? String(limit) : "N/A";
}
