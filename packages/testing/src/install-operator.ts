import type { KubeClient } from "@kaji/client";
import type { Resource } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { conversionStrategy, webhookConfigurations } from "@kaji/runtime";
import type { Controller, Conversion, Webhook } from "@kaji/runtime";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { createOperatorAccount } from "./operator-account.ts";

/** The parts of an operator that a test brings. */
export interface OperatorParts {
  readonly controllers?: readonly Controller[] | undefined;
  readonly webhooks?: readonly Webhook[] | undefined;
  /** How objects come from one version of a resource to another. */
  readonly conversions?: readonly Conversion[] | undefined;
  /** Whether the operator may do everything. Default: just what its controllers declare. */
  readonly isAlmighty?: boolean | undefined;
  /** Resources to install beyond those that the controllers, webhooks and conversions are about. */
  readonly resources?: readonly ResourceDefinition[] | undefined;
}

/** Where the API server of a test finds the operator's webhooks, which run in the same process. */
export const webhookOrigin = "https://operator.test";

/** Puts an operator's definitions, webhooks and account into a cluster. */
export async function installOperator(
  client: KubeClient,
  { controllers = [], webhooks = [], conversions = [], resources = [], isAlmighty = false }: OperatorParts,
): Promise<void> {
  const touched = controllers.flatMap(({ resource, owns, watches, uses }) => [
    resource,
    ...[...owns, ...watches, ...uses].map((each) => each.resource),
  ]);
  const judged = webhooks.flatMap(({ resource, uses, watches }) => [resource, ...[...uses, ...watches].map((each) => each.resource)]);
  const defined = [...touched, ...judged].filter(isDefined);
  const converted = new Set(conversions.map(({ resource }) => resource.crd()));
  const target = { type: "Url", url: webhookOrigin } as const;
  for (const definition of new Set([...[...defined, ...resources].map((resource) => resource.crd()), ...converted])) {
    const { spec } = definition;
    const conversion = converted.has(definition) ? { conversion: conversionStrategy({ target }) } : {};
    await client.apply(CustomResourceDefinition, { ...definition, spec: { ...spec, ...conversion } });
  }
  await createOperatorAccount(client, isAlmighty ? "Everything" : { controllers, webhooks });
  // Last, as an operator is deployed: what it is made of is not judged by itself, before it can read.
  const { mutating, validating } = webhookConfigurations(webhooks, { name: "operator", target });
  if (mutating !== undefined) await client.apply(MutatingWebhookConfiguration, mutating);
  if (validating !== undefined) await client.apply(ValidatingWebhookConfiguration, validating);
}

function isDefined(resource: Resource): resource is ResourceDefinition {
  return "crd" in resource;
}
