import type { KubeClient } from "@kaji/client";
import { isDefinition, unlessGone } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { apiServices, conversionStrategy, defineOperator, groupVersions, webhookConfigurations, webhookService } from "@kaji/runtime";
import type { Api, Controller, Conversion, Webhook } from "@kaji/runtime";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { APIService } from "@kaji/types/apiregistration/v1";
import { Service } from "@kaji/types/core/v1";
import { createOperatorAccount } from "./operator-account.ts";

/** The parts of an operator that a test brings. */
export interface OperatorParts {
  readonly controllers?: readonly Controller[] | undefined;
  readonly webhooks?: readonly Webhook[] | undefined;
  /** How objects come from one version of a resource to another. */
  readonly conversions?: readonly Conversion[] | undefined;
  /** Kinds that the operator serves by itself. */
  readonly apis?: readonly Api[] | undefined;
  /** Whether the operator may do everything. Default: just what its controllers declare. */
  readonly isAlmighty?: boolean | undefined;
  /** Resources to install beyond those that the controllers, webhooks and conversions are about. */
  readonly resources?: readonly ResourceDefinition[] | undefined;
}

/** Throws what a program is told that runs the operator, if it is none. */
export function requireOperator({ controllers = [], webhooks = [], conversions = [], apis = [], resources = [] }: OperatorParts): void {
  defineOperator({ name, controllers, webhooks, conversions, apis, resources });
}

/** Where the API server of a test finds the operator's webhooks. */
export interface WebhookPlace {
  readonly url: string;
  /** What it trusts there, in PEM. Default: whatever its machine trusts. */
  readonly caBundle?: string | undefined;
}

/** Where they are when they run in the same process. */
export const webhookOrigin = "https://operator.test";

/** The Service behind which APIs are. */
const service = webhookService("operator", "default");

/** Where an API server looks for that one in the same process. */
export const apiOrigin: string = `https://${service.name}.${service.namespace}.svc`;

/** The configurations by which they are called have the name of the operator. */
const name = "operator";

/** Puts an operator's definitions, webhooks and account into a cluster. */
export async function installOperator(
  client: KubeClient,
  { controllers = [], webhooks = [], conversions = [], apis = [], resources = [], isAlmighty = false }: OperatorParts,
  { url, caBundle }: WebhookPlace = { url: webhookOrigin },
): Promise<void> {
  const touched = controllers.flatMap(({ resource, owns, watches, uses }) => [
    resource,
    ...[...owns, ...watches, ...uses].map((each) => each.resource),
  ]);
  const judged = webhooks.flatMap(({ resource, uses, watches }) => [resource, ...[...uses, ...watches].map((each) => each.resource)]);
  const served = new Set(apis.map(({ resource }) => `${resource.group} ${resource.kind}`));
  const defined = [...touched, ...judged].filter(isDefinition).filter(({ group, kind }) => !served.has(`${group} ${kind}`));
  const converted = new Set(conversions.map(({ resource }) => resource.crd()));
  const target = { type: "Url", url } as const;
  for (const definition of new Set([...[...defined, ...resources].map((resource) => resource.crd()), ...converted])) {
    const { spec } = definition;
    const conversion = converted.has(definition) ? { conversion: conversionStrategy({ target, caBundle }) } : {};
    await client.apply(CustomResourceDefinition, { ...definition, spec: { ...spec, ...conversion } });
  }
  await createOperatorAccount(client, isAlmighty ? "Everything" : { controllers, webhooks, apis });
  // Last, as an operator is deployed: what it is made of is not judged by itself, before it can read.
  await installApis(client, apis, { url, caBundle });
  const { mutating, validating } = webhookConfigurations(webhooks, { name, target, caBundle });
  if (mutating !== undefined) await client.apply(MutatingWebhookConfiguration, mutating);
  if (validating !== undefined) await client.apply(ValidatingWebhookConfiguration, validating);
}

/** Has a server pass on the requests for APIs, and waits until it does. */
async function installApis(client: KubeClient, apis: readonly Api[], { url, caBundle }: WebhookPlace): Promise<void> {
  const { namespace, name: serviceName } = service;
  const isOutside = url !== webhookOrigin;
  const installed = apiServices(apis, { service: { namespace, name: serviceName }, caBundle, ...(isOutside ? { url } : {}) });
  for (const object of installed) {
    if (object.kind === "Service") await client.apply(Service, object);
    else await client.apply(APIService, object);
  }
  for (const { group, version } of groupVersions(apis))
    await client.waitFor(APIService, `${version}.${group}`, isAvailable, { timeout: "30s" });
}

function isAvailable({ status }: APIService): boolean {
  return status?.conditions?.some((each) => each.type === "Available" && each.status === "True") ?? false;
}

/** Has a server call webhooks no more that are about to go: it would refuse what they cannot judge. */
export async function uninstallWebhooks(
  client: KubeClient,
  { conversions = [], apis = [] }: Pick<OperatorParts, "apis" | "conversions">,
): Promise<void> {
  for (const { group, version } of groupVersions(apis)) await unlessGone(client.delete(APIService, `${version}.${group}`));
  for (const configuration of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration])
    await unlessGone(client.delete<KubeObject>(configuration, name));
  for (const { resource } of conversions) {
    const { spec, ...definition } = resource.crd();
    await client.apply(CustomResourceDefinition, { ...definition, spec: { ...spec, conversion: { strategy: "None" } } });
  }
}
