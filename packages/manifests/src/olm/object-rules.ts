import { arrayAt, textAt, valueAt } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import type { OlmFinding } from "./olm-finding.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** What there is against the objects that a bundle brings beside its version and definitions: they must not disturb a cluster that others use too. */
export function objectFindings({ manifests }: ReadBundle): readonly OlmFinding[] {
  return manifests.flatMap(({ path, object }) =>
    (rulesByKind.get(textAt(object, "kind"))?.(object) ?? []).map(([level, field, text]) => ({ level, place: `${path}: ${field}`, text })),
  );
}

type Problems = readonly (readonly [level: OlmFinding["level"], field: string, text: string])[];

const rulesByKind: ReadonlyMap<string, (object: JsonObject) => Problems> = new Map([
  ["PodDisruptionBudget", budgetProblems],
  ["PriorityClass", priorityProblems],
  ["Role", roleProblems],
  ["ClusterRole", roleProblems],
]);

/** A budget that allows no disruption keeps nodes from being drained. The official validator takes any percentage of `maxUnavailable` for 0. */
function budgetProblems(object: JsonObject): Problems {
  const [most, least] = [valueAt(object, "spec", "maxUnavailable"), valueAt(object, "spec", "minAvailable")];
  return [
    ...(most === 0 || typeof most === "string" ? [["Error", "spec.maxUnavailable", "must be a number, and not 0"] as const] : []),
    ...(least === "100%" ? [["Error", "spec.minAvailable", "must not be 100%"] as const] : []),
  ];
}

function priorityProblems(object: JsonObject): Problems {
  return valueAt(object, "globalDefault") === true
    ? [["Error", "globalDefault", "must not be true: it is for all Pods of the cluster"]]
    : [];
}

const defaultConstraints = new Set([
  "privileged",
  "restricted",
  "anyuid",
  "hostaccess",
  "hostmount-anyuid",
  "hostnetwork",
  "node-exporter",
  "nonroot",
]);

function roleProblems(object: JsonObject): Problems {
  return arrayAt(object, "rules").flatMap((rule, index): Problems => {
    const allows = (group: string, resource: string, ...verbs: readonly string[]): boolean =>
      arrayAt(rule, "apiGroups").includes(group) &&
      arrayAt(rule, "resources").includes(resource) &&
      arrayAt(rule, "verbs").some((verb) => typeof verb === "string" && ["*", ...verbs].includes(verb));
    const isDefault = arrayAt(rule, "resourceNames").some((name) => typeof name === "string" && defaultConstraints.has(name));
    return [
      ...(allows("policy", "poddisruptionbudgets", "create", "update", "patch")
        ? [["Warning", `rules[${index}]`, "should not allow to write PodDisruptionBudgets"] as const]
        : []),
      ...(isDefault && allows("security.openshift.io", "securitycontextconstraints", "delete", "update", "patch")
        ? [["Error", `rules[${index}]`, "must not allow to write the security context constraints of the cluster"] as const]
        : []),
    ];
  });
}
