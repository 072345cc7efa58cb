import type { LabelSelector } from "@kaji/core";
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from "@kaji/types/admissionregistration/v1";
import type { CustomResourceConversion } from "@kaji/types/apiextensions/v1";
import type { AdmissionEndpoint } from "./admission-endpoint.ts";
import { conversionPath } from "./webhook-path.ts";
import type { Webhook } from "./webhook.ts";

/** Where an API server reaches the webhooks: through a Service of its cluster, or at a URL such as `https://127.0.0.1:9443`. */
export type WebhookTarget =
  | { readonly type: "Service"; readonly namespace: string; readonly name: string; readonly port?: number }
  | { readonly type: "Url"; readonly url: string };

/** The Service through which API servers reach the webhooks and APIs of an operator. */
export function webhookService(operator: string, namespace: string): Extract<WebhookTarget, { readonly type: "Service" }> {
  return { type: "Service", namespace, name: `${operator}-webhook` };
}

/** What the webhooks of one operator are installed with. */
export interface WebhookConfigurationOptions {
  /** The name of the configurations: that of the operator. */
  readonly name: string;
  readonly target: WebhookTarget;
  /** The namespace of the operator, whose objects its webhooks never see: otherwise they could block the start of the operator itself. */
  readonly namespace?: string | undefined;
  /** The namespaces that the operator looks after: its webhooks see no others, in which it may not read either. Default: all. */
  readonly watchNamespaces?: readonly string[] | undefined;
  /** In PEM. Absent: the built-in authority fills it in, or cert-manager does. */
  readonly caBundle?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** What makes an API server call the webhooks. A configuration without a webhook is absent. */
export interface WebhookConfigurations {
  readonly mutating?: MutatingWebhookConfiguration;
  readonly validating?: ValidatingWebhookConfiguration;
}

/** The configurations that install webhooks. */
export function webhookConfigurations(webhooks: readonly Webhook[], options: WebhookConfigurationOptions): WebhookConfigurations {
  const { name, labels, annotations } = options;
  const metadata = { name, ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) };
  const entries = webhooks.flatMap((webhook) => webhook.endpoints.map((endpoint) => ({ webhook, endpoint })));
  const mutating = entries
    .filter(({ endpoint }) => endpoint.type === "Mutating")
    .map(({ webhook, endpoint }): MutatingWebhook => {
      const { reinvocationPolicy } = webhook.matching;
      return { ...entryOf(webhook, endpoint, options), ...(reinvocationPolicy === undefined ? {} : { reinvocationPolicy }) };
    });
  const validating = entries
    .filter(({ endpoint }) => endpoint.type === "Validating")
    .map(({ webhook, endpoint }): ValidatingWebhook => entryOf(webhook, endpoint, options));
  const apiVersion = "admissionregistration.k8s.io/v1";
  return {
    ...(mutating.length === 0 ? {} : { mutating: { apiVersion, kind: "MutatingWebhookConfiguration", metadata, webhooks: mutating } }),
    ...(validating.length === 0
      ? {}
      : { validating: { apiVersion, kind: "ValidatingWebhookConfiguration", metadata, webhooks: validating } }),
  };
}

/** `spec.conversion` of the CustomResourceDefinition of a resource whose versions are converted here. */
export function conversionStrategy(options: Pick<WebhookConfigurationOptions, "caBundle" | "target">): CustomResourceConversion {
  return { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig: clientConfigOf(conversionPath, options) } };
}

function entryOf({ resource, matching }: Webhook, endpoint: AdmissionEndpoint, options: WebhookConfigurationOptions): ValidatingWebhook {
  const {
    subresources = [],
    failurePolicy = "Fail",
    matchPolicy = "Equivalent",
    objectSelector,
    matchConditions,
    timeoutSeconds,
  } = matching;
  const { group, version, plural, scope } = resource;
  const rule: RuleWithOperations = {
    operations: endpoint.operations,
    apiGroups: [group],
    apiVersions: [version],
    resources: [plural, ...subresources.map((part) => `${plural}/${part}`)],
    scope,
  };
  const namespaceSelector = selectorOf(matching.namespaceSelector, options);
  return {
    name: endpoint.name,
    clientConfig: clientConfigOf(endpoint.path, options),
    rules: [rule],
    failurePolicy,
    matchPolicy,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
    ...(matchConditions === undefined ? {} : { matchConditions }),
    sideEffects: "None",
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    admissionReviewVersions: ["v1"],
  };
}

/** The namespaces that are wanted, of those that the operator looks after, less its own. */
function selectorOf(
  wanted: LabelSelector | undefined,
  { namespace, watchNamespaces }: Pick<WebhookConfigurationOptions, "namespace" | "watchNamespaces">,
): LabelSelector | undefined {
  const named = (operator: "In" | "NotIn", values: readonly string[]) => ({ key: "kubernetes.io/metadata.name", operator, values });
  const limits = [
    ...(watchNamespaces === undefined ? [] : [named("In", watchNamespaces)]),
    ...(namespace === undefined ? [] : [named("NotIn", [namespace])]),
  ];
  return limits.length === 0 ? wanted : { ...wanted, matchExpressions: [...(wanted?.matchExpressions ?? []), ...limits] };
}

function clientConfigOf(path: string, { target, caBundle }: Pick<WebhookConfigurationOptions, "caBundle" | "target">): WebhookClientConfig {
  const bundle = caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString("base64") };
  if (target.type === "Url") return { url: target.url.replace(/\/$/, "") + path, ...bundle };
  const { namespace, name, port = 443 } = target;
  return { service: { namespace, name, path, port }, ...bundle };
}
