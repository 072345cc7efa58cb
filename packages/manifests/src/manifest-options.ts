import { dns1035LabelErrors } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import type { EnvVar, ResourceRequirements } from "@kaji/types/core/v1";
import { podPlan } from "./manager-pod.ts";
import type { PodOptions, PodPlan } from "./manager-pod.ts";

/** How an operator is to run in a cluster. */
export interface ManifestOptions {
  /** The image that runs the operator. Default: `NAME:latest`. */
  readonly image?: string | undefined;
  /** Where the operator itself runs. Default: `NAME-system`. */
  readonly namespace?: string | undefined;
  /** How many copies run, of which one leads, unless they share objects. Default 1. */
  readonly replicas?: number | undefined;
  /** Into how many shards all objects are divided, so that all copies work, each on its share. Default: one copy leads, and the others stand by. */
  readonly shards?: number | undefined;
  /** Variables of the operator's environment: values, and keys of Secrets and ConfigMaps in its namespace. Default: none of its own. */
  readonly env?: readonly EnvVar[] | undefined;
  /** What each copy may take of a machine, where it is not the default: `{ limits: { memory: "512Mi" } }` leaves the rest as it is. Default: 10m to 500m of a processor, 96Mi to 256Mi of memory. */
  readonly resources?: Pick<ResourceRequirements, "limits" | "requests"> | undefined;
  /** What else its Pods have: where they may run, volumes, secrets to pull images with. Maps are merged with those that are there by default, anything else takes their place. */
  readonly pod?: PodOptions | undefined;
  /** What else its ServiceAccount has, such as the role of a cloud that it stands for. */
  readonly serviceAccount?: ServiceAccountOptions | undefined;
  /** The namespaces it looks after, each with a Role of its own. Default: all, with a ClusterRole. */
  readonly watchNamespaces?: readonly string[] | undefined;
  /** Who makes the certificates of webhooks: the operator itself, or cert-manager. Default: the operator. */
  readonly certificates?: "built-in" | "cert-manager" | undefined;
  /** Where API servers reach the webhooks, such as `https://127.0.0.1:9443`. Default: through a Service. */
  readonly webhookUrl?: string | undefined;
  /** Whether metrics are shown only to those whom the cluster lets get `/metrics`. Default false: the NetworkPolicy alone decides. */
  readonly metricsAuth?: boolean | undefined;
  /** Whether Prometheus finds the metrics by a ServiceMonitor. Default false. */
  readonly serviceMonitor?: boolean | undefined;
}

/** What a cluster may ask for of the operator's ServiceAccount. */
export interface ServiceAccountOptions {
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The options with everything decided. */
export interface Plan {
  readonly operator: OperatorDefinition;
  readonly name: string;
  readonly image: string;
  readonly namespace: string;
  readonly replicas: number;
  readonly shards: number | undefined;
  readonly env: readonly EnvVar[];
  readonly resources: Required<Pick<ResourceRequirements, "limits" | "requests">>;
  readonly pod: PodPlan;
  readonly serviceAccount: Required<ServiceAccountOptions>;
  readonly watchNamespaces: readonly string[] | undefined;
  readonly certificates: "built-in" | "cert-manager";
  readonly webhookUrl: string | undefined;
  readonly metricsAuth: boolean;
  readonly serviceMonitor: boolean;
  /** What every object of the operator is labelled with. */
  readonly labels: Readonly<Record<string, string>>;
  /** What its Pods are found by. */
  readonly podLabels: Readonly<Record<string, string>>;
}

/** The ClusterRoles that every cluster has and that an operator could be called like. */
const ownRoles: readonly string[] = ["admin", "cluster-admin", "edit", "view"];

/** Decides what was left open. */
export function planOf(operator: OperatorDefinition, options: ManifestOptions = {}): Plan {
  const { name } = operator;
  // Services have the strictest names of all that is made for it, and the longest endings.
  const [problem] = dns1035LabelErrors(`${name}-webhook`);
  if (problem !== undefined)
    throw new TypeError(
      `operator ${name} cannot be installed under this name, since Services are called ${name}-webhook and the like: ${problem}`,
    );
  if (ownRoles.includes(name))
    throw new TypeError(`operator ${name} cannot be installed under this name, since the ClusterRole ${name} is Kubernetes' own`);
  const {
    image = `${name}:latest`,
    namespace = `${name}-system`,
    replicas = 1,
    env = [],
    certificates = "built-in",
    metricsAuth = false,
    serviceMonitor = false,
  } = options;
  const labels = { "app.kubernetes.io/name": name, "app.kubernetes.io/managed-by": "kaji" };
  const podLabels = { "app.kubernetes.io/name": name, "app.kubernetes.io/component": "manager" };
  const { webhookUrl, shards, resources, pod, serviceAccount } = options;
  if (options.watchNamespaces?.length === 0) throw new TypeError("watchNamespaces: there is none to look after; leave it out for all");
  return {
    operator,
    name,
    image,
    namespace,
    replicas,
    shards,
    env,
    resources: {
      limits: { cpu: "500m", memory: "256Mi", ...resources?.limits },
      requests: { cpu: "10m", memory: "96Mi", ...resources?.requests },
    },
    pod: podPlan(pod),
    serviceAccount: { annotations: {}, ...serviceAccount },
    watchNamespaces: options.watchNamespaces === undefined ? undefined : [...new Set(options.watchNamespaces)],
    certificates,
    webhookUrl,
    metricsAuth,
    serviceMonitor,
    labels,
    podLabels,
  };
}

/** Whether an API server calls the operator, to admit or to convert objects, or for its APIs. */
export function isCalled({ webhooks, conversions, apis }: OperatorDefinition): boolean {
  return webhooks.length + conversions.length + apis.length > 0;
}

/** The ports that the operator's Pods listen on. */
export const ports = { webhook: 9443, metrics: 8080, health: 8081 } as const;
