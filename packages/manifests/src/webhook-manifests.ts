import type { KubeObject } from "@kaji/core";
import { apiServices, webhookConfigurations, webhookService } from "@kaji/runtime";
import type { WebhookTarget } from "@kaji/runtime";
import type { Service } from "@kaji/types/core/v1";
import { isCalled, ports } from "./manifest-options.ts";
import type { Plan } from "./manifest-options.ts";

/** What makes the API server call the operator: the Service in front of it, the configurations of its webhooks, the APIServices of its APIs, and who signs. */
export function webhookManifests(plan: Plan): readonly KubeObject[] {
  const { operator, name, namespace, watchNamespaces, labels, certificates } = plan;
  if (!isCalled(operator)) return [];
  const options = { name, namespace, watchNamespaces, labels, target: webhookTarget(plan), annotations: caInjection(plan) };
  const { mutating, validating } = webhookConfigurations(operator.webhooks, options);
  const signed = certificates === "cert-manager" ? certManagerObjects(plan) : [];
  const served = apiServices(operator.apis, { ...options, service: serviceOf(plan), url: plan.webhookUrl });
  return [...(plan.webhookUrl === undefined ? [ownService(plan)] : []), ...signed, mutating, validating, ...served].filter(
    (object) => object !== undefined,
  );
}

/** Where the API server finds the webhooks of an operator. */
export function webhookTarget({ name, namespace, webhookUrl }: Plan): WebhookTarget {
  return webhookUrl === undefined ? webhookService(name, namespace) : { type: "Url", url: webhookUrl };
}

function serviceOf(plan: Pick<Plan, "name" | "namespace">): { readonly namespace: string; readonly name: string } {
  const { namespace, name } = webhookService(plan.name, plan.namespace);
  return { namespace, name };
}

/** Has cert-manager fill in whom to trust; the built-in authority does it by itself. */
export function caInjection({ name, namespace, certificates }: Plan): Readonly<Record<string, string>> | undefined {
  return certificates === "cert-manager" ? { "cert-manager.io/inject-ca-from": `${namespace}/${name}-webhook` } : undefined;
}

function ownService({ name, namespace, labels, podLabels }: Plan): Service {
  const spec = { selector: podLabels, ports: [{ name: "webhook", port: 443, targetPort: ports.webhook }] };
  return { apiVersion: "v1", kind: "Service", metadata: { ...serviceOf({ name, namespace }), labels }, spec };
}

/** An issuer that signs for itself, and the certificate of the webhook Service. */
function certManagerObjects({ name, namespace, labels }: Plan): readonly KubeObject[] {
  const apiVersion = "cert-manager.io/v1";
  const issuer = { apiVersion, kind: "Issuer", metadata: { name: `${name}-self-signed`, namespace, labels }, spec: { selfSigned: {} } };
  const certificate = {
    apiVersion,
    kind: "Certificate",
    metadata: { name: `${name}-webhook`, namespace, labels },
    spec: {
      dnsNames: [`${name}-webhook.${namespace}.svc`, `${name}-webhook.${namespace}.svc.cluster.local`],
      issuerRef: { kind: "Issuer", name: issuer.metadata.name },
      secretName: `${name}-webhook-certificate`,
    },
  };
  return [issuer, certificate];
}
