import type { OperatorDefinition } from "@kaji/runtime";
import { planOf } from "../manifest-options.ts";
import { ownObjects } from "../own-manifests.ts";
import { operatorRules } from "../roles.ts";
import type { OlmFinding } from "./olm-finding.ts";

/** What an operator declares and the Operator Lifecycle Manager cannot be told: there it may do more, and is asked more, than elsewhere. */
export function olmLosses(operator: OperatorDefinition): readonly OlmFinding[] {
  return [...permissionLosses(operator), ...webhookLosses(operator), ...ownLosses(operator)];
}

/** It installs what a bundle has a field or a file for: of what an operator comes with, ClusterRoles. */
function ownLosses(operator: OperatorDefinition): readonly OlmFinding[] {
  const { rbac, others } = ownObjects(planOf(operator));
  const leftOut = [...rbac, ...others].filter(({ kind }) => kind !== "ClusterRole");
  return leftOut.map(({ kind, metadata }) => ({
    level: "Warning",
    place: `manifests: ${kind} ${metadata.name}`,
    text: "is not in the bundle; add a file with it to its manifests, if the Operator Lifecycle Manager takes objects of that kind",
  }));
}

/** It makes roles for the namespaces that an OperatorGroup has, and for the whole cluster. */
function permissionLosses(operator: OperatorDefinition): readonly OlmFinding[] {
  return [...operatorRules(planOf(operator)).named].map(([namespace, rules]) => ({
    level: "Warning",
    place: `permissions in ${namespace}`,
    text: `hold in the whole cluster: the Operator Lifecycle Manager gives none in a namespace alone (${rules.flatMap(({ resources = [] }) => resources).join(", ")})`,
  }));
}

/** It calls webhooks for writes in all namespaces that its OperatorGroup has. */
function webhookLosses({ webhooks }: OperatorDefinition): readonly OlmFinding[] {
  return webhooks.flatMap(({ matching, endpoints }) =>
    lost
      .filter((option) => matching[option] !== undefined)
      .flatMap((option) =>
        endpoints.map(({ name }) => ({
          level: "Warning" as const,
          place: `webhook ${name}: ${option}`,
          text: "is unknown to the Operator Lifecycle Manager, by which the webhook is asked about other writes too; decide it in the handler",
        })),
      ),
  );
}

const lost = ["namespaceSelector", "matchConditions"] as const;
