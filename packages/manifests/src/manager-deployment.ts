import type { Deployment } from "@kaji/types/apps/v1";
import type { Container, Namespace, Volume } from "@kaji/types/core/v1";
import type { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { managerEnvironment } from "./manager-environment.ts";
import { requireFree } from "./manager-pod.ts";
import { isCalled, ports } from "./manifest-options.ts";
import type { Plan } from "./manifest-options.ts";

/** Where the operator runs, held to the restricted pod security standard. */
export function ownNamespace({ namespace, labels }: Plan): Namespace {
  const security = { "pod-security.kubernetes.io/enforce": "restricted" };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: { ...labels, ...security } } };
}

/** The Deployment that runs the operator: without privileges, probed, and ready to be one of several. */
export function managerDeployment(plan: Plan): Deployment {
  const { name, namespace, labels, podLabels, replicas } = plan;
  const own = certificateVolume(plan);
  requireFree(plan.pod, { labels: podLabels, volumes: own });
  const { labels: podOnly, annotations, volumes: given, volumeMounts: _, ...podSpec } = plan.pod;
  const volumes = [...own, ...given];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels: { ...labels, ...podLabels } },
    spec: {
      replicas,
      selector: { matchLabels: podLabels },
      template: {
        metadata: { labels: { ...podLabels, ...podOnly }, annotations },
        spec: {
          serviceAccountName: name,
          ...podSpec,
          containers: [managerContainer(plan)],
          ...(volumes.length === 0 ? {} : { volumes }),
        },
      },
    },
  };
}

/** Keeps one copy up while nodes are drained, where there are several. */
export function disruptionBudget({ name, namespace, labels, podLabels, replicas }: Plan): readonly PodDisruptionBudget[] {
  if (replicas < 2) return [];
  const spec = { minAvailable: 1, selector: { matchLabels: podLabels } };
  return [{ apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name, namespace, labels }, spec }];
}

function managerContainer(plan: Plan): Container {
  const { image, operator, env, watchNamespaces, certificates, metricsAuth, shards, pod } = plan;
  const hasPort = isCalled(operator);
  const ownFiles = hasPort && certificates === "cert-manager";
  const volumeMounts = [...(ownFiles ? [{ name: "certificates", mountPath: certificateFolder, readOnly: true }] : []), ...pod.volumeMounts];
  const probe = (path: string): { readonly httpGet: { readonly path: string; readonly port: string } } => ({
    httpGet: { path, port: "health" },
  });
  return {
    name: "manager",
    image,
    args: [
      shards === undefined ? "--leader-elect" : `--shards=${shards}`,
      `--health-address=:${ports.health}`,
      `--metrics-address=:${ports.metrics}`,
      ...(metricsAuth ? ["--metrics-auth"] : []),
      ...(watchNamespaces === undefined ? [] : [`--namespaces=${watchNamespaces.join(",")}`]),
      ...(ownFiles ? [`--webhook-certificates=${certificateFolder}`] : []),
    ],
    env: managerEnvironment(env),
    ports: [
      { name: "health", containerPort: ports.health },
      { name: "metrics", containerPort: ports.metrics },
      ...(hasPort ? [{ name: "webhook", containerPort: ports.webhook }] : []),
    ],
    livenessProbe: { ...probe("/healthz"), initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { ...probe("/readyz"), initialDelaySeconds: 5, periodSeconds: 10 },
    resources: plan.resources,
    // Why it ended is in its status, and so in `kubectl describe`.
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
    ...(volumeMounts.length === 0 ? {} : { volumeMounts }),
  };
}

const certificateFolder = "/certificates";

/** The files that cert-manager writes; the built-in authority needs none. */
function certificateVolume({ name, operator, certificates }: Plan): readonly Volume[] {
  if (certificates === "built-in" || !isCalled(operator)) return [];
  return [{ name: "certificates", secret: { secretName: `${name}-webhook-certificate` } }];
}
