import type { JsonObject } from "@kaji/core";
import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const core = "/api/v1/namespaces/empties";
const maps = callsTo(`${core}/configmaps`);
const pods = callsTo(`${core}/pods`);
const quotas = callsTo(`${core}/resourcequotas`);
const policies = callsTo("/apis/networking.k8s.io/v1/namespaces/empties/networkpolicies");
const autoscalers = callsTo("/apis/autoscaling/v2/namespaces/empties/horizontalpodautoscalers");
const jobs = callsTo("/apis/batch/v1/namespaces/empties/jobs");
const deployments = callsTo("/apis/apps/v1/namespaces/empties/deployments");
const daemons = callsTo("/apis/apps/v1/namespaces/empties/daemonsets");
const roles = callsTo("/apis/rbac.authorization.k8s.io/v1/namespaces/empties/roles");
const claims = callsTo("/apis/resource.k8s.io/v1/namespaces/empties/resourceclaimtemplates");

const container: JsonObject = { name: "main", image: "nginx" };
const emptied: JsonObject = { command: [], args: [], env: [], ports: [], volumeMounts: [] };
const pod = (spec: JsonObject = {}): JsonObject => ({ metadata: { name: "a" }, spec: { containers: [container], ...spec } });
const policy = (spec: JsonObject): JsonObject => ({ metadata: { name: "a" }, spec: { podSelector: {}, ...spec } });
const autoscaler = (behavior: JsonObject): JsonObject => ({
  metadata: { name: "a" },
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, behavior },
});
const job = (spec: JsonObject, podSpec: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", labels: {} },
  spec: { template: { spec: { containers: [container], restartPolicy: "Never", ...podSpec } }, ...spec },
});
const owner = (podSpec: JsonObject, selector: JsonObject = { matchLabels: { app: "web" } }): JsonObject => ({
  metadata: { name: "a" },
  spec: { selector, template: { metadata: { labels: { app: "web" } }, spec: { containers: [container], ...podSpec } } },
});

/** Lists and maps that are there and empty: until an object is written the server tells them from none. */
export const emptyScenarios: readonly Scenario[] = [
  {
    name: "W1 an empty list or map is gone once it is stored",
    steps: [
      maps.create({ metadata: { name: "a", labels: {}, annotations: {}, finalizers: [], ownerReferences: [] }, data: {}, binaryData: {} }),
      maps.replace("a", { metadata: { name: "a" }, data: {} }),
      roles.create({ metadata: { name: "a" }, rules: [] }),
      roles.create({ metadata: { name: "b" }, rules: [] }, "?dryRun=All"),
      roles.replace("a", { metadata: { name: "a" }, rules: null }),
      quotas.create({ metadata: { name: "a" }, spec: { hard: {}, scopes: [] } }),
      maps.patch("a", { metadata: { name: "a", labels: {} }, apiVersion: "v1", kind: "ConfigMap", data: {} }, "apply"),
      maps.get("a"),
    ],
  },
  {
    name: "W1 admission and defaults see an empty list or map",
    steps: [
      pods.create(pod({ overhead: {} })),
      pods.create(
        pod({ nodeSelector: {}, tolerations: [], volumes: [], imagePullSecrets: [], containers: [{ ...container, ...emptied }] }),
      ),
      autoscalers.create(autoscaler({ scaleUp: { policies: [] } })),
      autoscalers.create(autoscaler({ scaleDown: { policies: [], selectPolicy: "Max" } })),
      autoscalers.create(autoscaler({ scaleUp: {} })),
      autoscalers.patch("a", { spec: { behavior: { scaleUp: { policies: [] } } } }),
      autoscalers.patch("a", { spec: { behavior: { scaleUp: { policies: [] } } } }, "strategic"),
      autoscalers.patch("a", [{ op: "replace", path: "/spec/behavior/scaleUp/policies", value: [] }], "json"),
      jobs.create(job({})),
      claims.create({ metadata: { name: "a" }, spec: { metadata: { finalizers: [] }, spec: {} } }),
    ],
  },
  {
    name: "W1 an empty list or map is no change, but to a network policy",
    steps: [
      policies.create(policy({})),
      policies.replace("a", policy({ ingress: [] })),
      policies.replace("a", policy({ policyTypes: [] })),
      policies.replace("a", policy({ ingress: [{ from: [], ports: [] }] })),
      policies.replace("a", policy({ ingress: [{}] })),
      deployments.create(owner({})),
      deployments.replace("a", owner({ nodeSelector: {}, volumes: [], containers: [{ ...container, ...emptied }] })),
      deployments.replace("a", owner({}, { matchLabels: { app: "web" }, matchExpressions: [] })),
      daemons.create(owner({})),
      daemons.replace("a", owner({ nodeSelector: {}, tolerations: [] })),
      pods.create(pod({})),
      pods.replace("a", pod({ nodeSelector: {}, hostAliases: [], containers: [{ ...container, ...emptied }] })),
    ],
  },
  {
    name: "V1 refusals show what is empty",
    steps: [
      jobs.create(job({})),
      jobs.patch("a", { spec: { template: { spec: { nodeSelector: {}, volumes: [], dnsPolicy: "Default" } } } }),
      jobs.patch("a", { spec: { template: { metadata: { annotations: {} }, spec: { dnsPolicy: "Default" } } } }),
      pods.create(pod({})),
      pods.replace("a", pod({ nodeSelector: {}, hostAliases: [], hostname: "other" })),
      deployments.create(owner({}, { matchLabels: {}, matchExpressions: [] })),
      deployments.create(owner({})),
      deployments.replace("a", owner({}, { matchLabels: {} })),
    ],
  },
  {
    name: "W1 a value of the wrong type, and the name Go has for the right one",
    steps: [
      deployments.create({ ...owner({}), spec: { strategy: { type: {} } } }),
      deployments.create({ metadata: { name: "a", uid: 1 } }),
      pods.create(pod({ restartPolicy: true })),
      pods.create(pod({ containers: [{ name: "main", resources: { limits: [] } }] })),
      pods.create(pod({ containers: [{ name: "main", securityContext: { capabilities: { add: [1] } } }] })),
      pods.create(pod({ containers: [{ name: "main", securityContext: { capabilities: { add: "ALL" } } }] })),
      policies.create(policy({ policyTypes: "Ingress" })),
      policies.create(policy({ policyTypes: [{}] })),
      pods.create(pod({})),
      pods.patch("a", { spec: { restartPolicy: 5 } }, "strategic"),
      pods.patch("a", { spec: { restartPolicy: 5 } }),
      pods.patch("a", { spec: { dnsPolicy: ["x"] } }, "strategic"),
      pods.patch("a", { spec: { overhead: "none" } }, "strategic"),
    ],
  },
];
