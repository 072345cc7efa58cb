import type { KubeObject } from "@kaji/core";
import { webhookConfigurations } from "@kaji/runtime";
import type { WebhookTarget } from "@kaji/runtime";
import type { Service } from "@kaji/types/core/v1";
import { hasWebhooks, ports } from "./manifest-options.ts";
import type { Plan } from "./manifest-options.ts";

/** What makes the API server call the operator's webhooks: the Service in front of them, their configurations, and who signs. */
export function webhookManifests(plan: Plan): readonly KubeObject[] {
  const { operator, name, namespace, watchNamespaces, labels, certificates } = plan;
  if (!hasWebhooks(operator)) return [];
  const options = { name, namespace, watchNamespaces, labels, target: webhookTarget(plan), annotations: caInjection(plan) };
  const { mutating, validating } = webhookConfigurations(operator.webhooks, options);
  const signed = certificates === "cert-manager" ? certManagerObjects(plan) : [];
  return [...(plan.webhookUrl === undefined ? [webhookService(plan)] : []), ...signed, mutating, validating].filter(
    (object) => object !== undefined,
  );
}

/** Where the API server finds the webhooks of an operator. */
export function webhookTarget({ name, namespace, webhookUrl }: Plan): WebhookTarget {
  return webhookUrl === undefined ? { type: "Service", namespace, name: `${name}-webhook` } : { type: "Url", url: webhookUrl };
}

/** Has cert-manager fill in whom to trust; the built-in authority does it by itself. */
export function caInjection({ name, namespace, certificates }: Plan): Readonly<Record<string, string>> | undefined {
  return certificates === "cert-manager" ? { "cert-manager.io/inject-ca-from": `${namespace}/${name}-webhook` } : undefined;
}

function webhookService({ name, namespace, labels, podLabels }: Plan): Service {
  const spec = { selector: podLabels, ports: [{ name: "webhook", port: 443, targetPort: ports.webhook }] };
  return { apiVersion: "v1", kind: "Service", metadata: { name: `${name}-webhook`, namespace, labels }, spec };
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
