import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const namespace = "quotas";
const quotas = callsTo(`/api/v1/namespaces/${namespace}/resourcequotas`);
const pods = callsTo(`/api/v1/namespaces/${namespace}/pods`);
const maps = callsTo(`/api/v1/namespaces/${namespace}/configmaps`);
const services = callsTo(`/api/v1/namespaces/${namespace}/services`);
const claims = callsTo(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`);
const deployments = callsTo(`/apis/apps/v1/namespaces/${namespace}/deployments`);

/** A quota with the status that a controller would give it. */
const quota = (name: string, hard: JsonObject, used: JsonObject, more: JsonObject = {}): readonly Step[] => [
  quotas.create({ metadata: { name }, spec: { hard, ...more } }),
  quotas.patch(`${name}/status`, { status: { hard, used } }),
];
const container = (resources: JsonObject = {}): JsonObject => ({ name: "a", image: "a", resources });
const pod = (name: string, resources?: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [container(resources)], ...spec },
});
const map = (name: string): JsonObject => ({ metadata: { name } });
const claim = (name: string, storage: string, className = "fast"): JsonObject => ({
  metadata: { name },
  spec: { storageClassName: className, accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});
/** A real server learns of a quota in its own time: it is asked again, without consequences, until it refuses. */
const noticed = (step: Step): Step => ({ ...step, path: `${step.path}?dryRun=All`, until: "exceeded quota" });

/** What ResourceQuotas do to creations. */
export const quotaScenarios: readonly Scenario[] = [
  {
    name: "Q1 counts of objects",
    steps: [
      ...quota(
        "full",
        {
          "count/secrets": "0",
          configmaps: "2",
          "count/deployments.apps": "1",
          services: "2",
          "services.nodeports": "1",
          "services.loadbalancers": "0",
        },
        {
          "count/secrets": "0",
          configmaps: "0",
          "count/deployments.apps": "0",
          services: "0",
          "services.nodeports": "0",
          "services.loadbalancers": "0",
        },
      ),
      noticed(callsTo(`/api/v1/namespaces/${namespace}/secrets`).create(map("probe"))),
      maps.create(map("a")),
      maps.create(map("b")),
      { ...quotas.get("full"), until: '"configmaps":"2","count' },
      maps.create(map("c")),
      maps.patch("a", { data: { a: "b" } }),
      callsTo(`/api/v1/namespaces/${namespace}/secrets`).create(map("s")),
      services.create({ metadata: { name: "plain" }, spec: { ports: [{ port: 80 }] } }),
      services.create({ metadata: { name: "balanced" }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } }),
      services.create({ metadata: { name: "noded" }, spec: { type: "NodePort", ports: [{ port: 80 }, { port: 81, name: "b" }] } }),
      services.create({ metadata: { name: "noded" }, spec: { type: "NodePort", ports: [{ port: 80 }] } }),
      quotas.get("full"),
    ],
  },
  {
    name: "Q2 what pods ask for",
    steps: [
      ...quota(
        "compute",
        { pods: "3", cpu: "1", "requests.memory": "100Mi", "limits.cpu": "2", "count/pods": "3" },
        { pods: "0", cpu: "0", "requests.memory": "0", "limits.cpu": "0", "count/pods": "0" },
      ),
      noticed(pods.create(pod("probe", { requests: { cpu: "5", memory: "1Mi" }, limits: { cpu: "5" } }))),
      pods.create(pod("bare")),
      pods.create(pod("partly", { requests: { cpu: "100m" } })),
      pods.create(pod("a", { requests: { cpu: "600m", memory: "40Mi" }, limits: { cpu: "1" } })),
      pods.create(pod("b", { requests: { cpu: "600m", memory: "70Mi" }, limits: { cpu: "1500m" } })),
      pods.create(pod("c", { requests: { cpu: "400m", memory: "60Mi" }, limits: { cpu: "1" } })),
      pods.create(
        pod(
          "d",
          { requests: { cpu: "1m", memory: "1" }, limits: { cpu: "1m" } },
          { initContainers: [{ ...container({ limits: { cpu: "1m", memory: "1" } }), name: "i" }] },
        ),
      ),
      { ...quotas.get("compute"), until: '"pods":"2"' },
      pods.patch("a", { metadata: { labels: { a: "b" } } }),
      pods.remove("a", { gracePeriodSeconds: 0 }),
      quotas.get("compute"),
    ],
  },
  {
    name: "Q3 scopes",
    steps: [
      callsTo("/apis/scheduling.k8s.io/v1/priorityclasses").create({ metadata: { name: "quotas-urgent" }, value: 5 }),
      ...quota("effortless", { pods: "0" }, { pods: "0" }, { scopes: ["BestEffort"] }),
      ...quota("hasty", { pods: "0" }, { pods: "0" }, { scopes: ["Terminating"] }),
      noticed(pods.create(pod("probe"))),
      { ...noticed(pods.create(pod("probe", { requests: { cpu: "1" } }, { activeDeadlineSeconds: 5 }))), until: "hasty" },
      pods.create(pod("bare")),
      pods.create(pod("effort", { requests: { cpu: "1m" } })),
      pods.create(pod("short", { requests: { cpu: "1m" } }, { activeDeadlineSeconds: 5 })),
      ...quota(
        "classy",
        { pods: "0" },
        { pods: "0" },
        { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["quotas-urgent"] }] } },
      ),
      {
        ...noticed(pods.create(pod("probe", { requests: { cpu: "1m" } }, { priorityClassName: "quotas-urgent" }))),
        until: "classy",
      },
      pods.create(pod("urgent", { requests: { cpu: "1m" } }, { priorityClassName: "quotas-urgent" })),
    ],
  },
  {
    name: "Q4 claims and unknown use",
    steps: [
      ...quota(
        "storage",
        {
          "requests.storage": "10Gi",
          persistentvolumeclaims: "5",
          "fast.storageclass.storage.k8s.io/requests.storage": "5Gi",
          "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
        },
        {
          "requests.storage": "0",
          persistentvolumeclaims: "0",
          "fast.storageclass.storage.k8s.io/requests.storage": "0",
          "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "0",
        },
      ),
      noticed(claims.create(claim("probe", "50Gi"))),
      claims.create(claim("a", "6Gi")),
      claims.create(claim("b", "4Gi")),
      claims.create(claim("c", "1Gi")),
      claims.create(claim("d", "7Gi", "slow")),
      claims.create(claim("e", "6Gi", "slow")),
      ...quota("unknown", { "count/deployments.apps": "1" }, {}),
      {
        ...deployments.create(
          {
            metadata: { name: "a" },
            spec: {
              selector: { matchLabels: { a: "b" } },
              template: { metadata: { labels: { a: "b" } }, spec: { containers: [container()] } },
            },
          },
          "?dryRun=All",
        ),
        until: "status unknown for quota",
      },
    ],
  },
];
