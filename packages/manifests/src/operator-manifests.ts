import type { KubeObject } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import type { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { customResourceDefinitions, samples } from "./custom-resource-definitions.ts";
import { disruptionBudget, managerDeployment, ownNamespace } from "./manager-deployment.ts";
import { planOf } from "./manifest-options.ts";
import type { ManifestOptions } from "./manifest-options.ts";
import { ownObjects, requireOwnNames } from "./own-manifests.ts";
import { networkManifests } from "./network-manifests.ts";
import { metricsReader, operatorRoles, serviceAccount } from "./roles.ts";
import { userRoles } from "./user-roles.ts";
import { webhookManifests } from "./webhook-manifests.ts";

/** Everything that puts an operator onto a cluster, by what it is for, in the order in which it is to be applied. */
export interface OperatorManifests {
  readonly crds: readonly CustomResourceDefinition[];
  readonly namespace: readonly KubeObject[];
  readonly rbac: readonly KubeObject[];
  readonly network: readonly KubeObject[];
  /** What the operator says that it comes with, but for roles. */
  readonly others: readonly KubeObject[];
  readonly manager: readonly KubeObject[];
  readonly webhooks: readonly KubeObject[];
  /** Examples for users; not part of the installation. */
  readonly samples: readonly KubeObject[];
}

/** The manifests of an operator: the same input gives the same output, always. */
export function operatorManifests(operator: OperatorDefinition, options: ManifestOptions = {}): OperatorManifests {
  const plan = planOf(operator, options);
  const own = ownObjects(plan);
  const rbac = [serviceAccount(plan), ...operatorRoles(plan), ...metricsReader(plan), ...userRoles(plan)];
  const network = networkManifests(plan);
  const manager = [managerDeployment(plan), ...disruptionBudget(plan)];
  const webhooks = webhookManifests(plan);
  requireOwnNames(operator.name, own, [...rbac, ...network, ...manager, ...webhooks]);
  return {
    crds: customResourceDefinitions(plan),
    namespace: [ownNamespace(plan)],
    rbac: [...rbac, ...own.rbac],
    network,
    others: own.others,
    manager,
    webhooks,
    samples: samples(plan),
  };
}
