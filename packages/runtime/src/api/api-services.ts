import type { APIService } from "@kaji/types/apiregistration/v1";
import type { Service } from "@kaji/types/core/v1";
import type { WebhookConfigurationOptions } from "../webhook/webhook-configuration.ts";
import type { Api } from "./served-api.ts";

/** What the APIs of one operator are installed with. */
export interface ApiServiceOptions extends Pick<WebhookConfigurationOptions, "annotations" | "caBundle" | "labels"> {
  /** The Service through which API servers reach the operator: they know of no other way. */
  readonly service: { readonly namespace: string; readonly name: string };
  /** Where that Service leads if not to Pods, such as `https://127.0.0.1:9443`. Default: to the operator's Pods, which it does already. */
  readonly url?: string | undefined;
}

/** What makes an API server pass on the requests for APIs: an APIService for each version of a group, and the Service that leads to a URL, if it is to. */
export function apiServices(apis: readonly Api[], options: ApiServiceOptions): readonly (APIService | Service)[] {
  const { service, url, caBundle, labels, annotations } = options;
  const common = labels === undefined ? {} : { labels };
  const { hostname, port } = url === undefined ? { hostname: undefined, port: "" } : new URL(url);
  const services = groupVersions(apis).map(({ group, version }): APIService => ({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: `${version}.${group}`, ...common, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      group,
      version,
      service: { ...service, port: Number(port || 443) },
      ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString("base64") }),
      // As for custom resources: after what Kubernetes has itself.
      groupPriorityMinimum: 1000,
      versionPriority: 100,
    },
  }));
  if (hostname === undefined || services.length === 0) return services;
  const spec = { type: "ExternalName", externalName: hostname } as const;
  return [{ apiVersion: "v1", kind: "Service", metadata: { ...service, ...common }, spec }, ...services];
}

/** The names of the APIServices of APIs. */
export function apiServiceNames(apis: readonly Api[]): readonly string[] {
  return groupVersions(apis).map(({ group, version }) => `${version}.${group}`);
}

/** Each version of a group that is served, once. */
export function groupVersions(apis: readonly Api[]): readonly { readonly group: string; readonly version: string }[] {
  return [...new Map(apis.map(({ resource: { group, version } }) => [`${group}/${version}`, { group, version }])).values()];
}
