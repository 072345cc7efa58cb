import type { KubeClient } from "@kaji/client";
import type { Resource } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { webhookConfigurations } from "@kaji/runtime";
import type { Controller, Webhook } from "@kaji/runtime";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { createOperatorAccount } from "./operator-account.ts";

/** The parts of an operator that a test brings. */
export interface OperatorParts {
  readonly controllers?: readonly Controller[] | undefined;
  readonly webhooks?: readonly Webhook[] | undefined;
  /** Whether the operator may do everything. Default: just what its controllers declare. */
  readonly isAlmighty?: boolean | undefined;
  /** Resources to install beyond those that the controllers and webhooks are about. */
  readonly resources?: readonly ResourceDefinition[] | undefined;
}

/** Where the API server of a test finds the operator's webhooks, which run in the same process. */
export const webhookOrigin = "https://operator.test";

/** Puts an operator's definitions, webhooks and account into a cluster. */
export async function installOperator(
  client: KubeClient,
  { controllers = [], webhooks = [], resources = [], isAlmighty = false }: OperatorParts,
): Promise<void> {
  const touched = controllers.flatMap(({ resource, owns, watches, uses }) => [
    resource,
    ...[...owns, ...watches, ...uses].map((each) => each.resource),
  ]);
  const defined = [...touched, ...webhooks.map(({ resource }) => resource)].filter(isDefined);
  for (const definition of new Set([...defined, ...resources].map((resource) => resource.crd())))
    await client.apply(CustomResourceDefinition, definition);
  const { mutating, validating } = webhookConfigurations(webhooks, { name: "operator", target: { type: "Url", url: webhookOrigin } });
  if (mutating !== undefined) await client.apply(MutatingWebhookConfiguration, mutating);
  if (validating !== undefined) await client.apply(ValidatingWebhookConfiguration, validating);
  await createOperatorAccount(client, isAlmighty ? "Everything" : controllers);
}

function isDefined(resource: Resource): resource is ResourceDefinition {
  return "crd" in resource;
}
