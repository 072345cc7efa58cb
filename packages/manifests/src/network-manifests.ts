import type { KubeObject } from "@kaji/core";
import type { Service } from "@kaji/types/core/v1";
import type { NetworkPolicy } from "@kaji/types/networking/v1";
import { isCalled, ports } from "./manifest-options.ts";
import type { Plan } from "./manifest-options.ts";

/** Where the metrics are found, and who may come to the operator's Pods at all. */
export function networkManifests(plan: Plan): readonly KubeObject[] {
  return [metricsService(plan), networkPolicy(plan), ...(plan.serviceMonitor ? [serviceMonitor(plan)] : [])];
}

function metricsService({ name, namespace, labels, podLabels }: Plan): Service {
  const spec = { selector: podLabels, ports: [{ name: "metrics", port: ports.metrics, targetPort: ports.metrics }] };
  const metadata = { name: `${name}-metrics`, namespace, labels: { ...labels, "app.kubernetes.io/component": "metrics" } };
  return { apiVersion: "v1", kind: "Service", metadata, spec };
}

/** Metrics for namespaces that are labelled for it, webhooks for the API server, and probes from the node; nothing else. */
function networkPolicy({ name, namespace, labels, podLabels, operator }: Plan): NetworkPolicy {
  const port = (number: number): { readonly protocol: "TCP"; readonly port: number } => ({ protocol: "TCP", port: number });
  const scrapers = [{ namespaceSelector: { matchLabels: { metrics: "enabled" } } }];
  const open = [...(isCalled(operator) ? [port(ports.webhook)] : []), port(ports.health)];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace, labels },
    spec: {
      podSelector: { matchLabels: podLabels },
      policyTypes: ["Ingress"],
      ingress: [{ from: scrapers, ports: [port(ports.metrics)] }, { ports: open }],
    },
  };
}

function serviceMonitor({ name, namespace, labels, metricsAuth }: Plan): KubeObject & { readonly spec: object } {
  const selector = { matchLabels: { ...labels, "app.kubernetes.io/component": "metrics" } };
  const bearerTokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token";
  // The operator signs the certificate of its metrics itself, so that the token cannot be read on its way.
  const guarded = metricsAuth ? { scheme: "https", tlsConfig: { insecureSkipVerify: true }, bearerTokenFile } : {};
  const spec = { selector, endpoints: [{ port: "metrics", path: "/metrics", ...guarded }] };
  return { apiVersion: "monitoring.coreos.com/v1", kind: "ServiceMonitor", metadata: { name, namespace, labels }, spec };
}
