import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const leases = callsTo("/apis/coordination.k8s.io/v1/namespaces/group-kinds/leases");
const priorityClasses = callsTo("/apis/scheduling.k8s.io/v1/priorityclasses");
const runtimeClasses = callsTo("/apis/node.k8s.io/v1/runtimeclasses");
const budgets = callsTo("/apis/policy/v1/namespaces/group-kinds/poddisruptionbudgets");
const slices = callsTo("/apis/discovery.k8s.io/v1/namespaces/group-kinds/endpointslices");

/** Lease, PriorityClass, RuntimeClass, PodDisruptionBudget, EndpointSlice. */
export const policyScenarios: readonly Scenario[] = [
  {
    name: "C4 C5 X2 lease life cycle",
    steps: [
      leases.create({
        metadata: { name: "leader", labels: { app: "a" } },
        spec: {
          holderIdentity: "me",
          leaseDurationSeconds: 15,
          renewTime: "2025-06-01T00:00:00.000000Z",
          strategy: "OldestEmulationVersion",
          preferredHolder: "x",
        },
      }),
      leases.replace("leader", { metadata: { name: "leader" }, spec: {} }),
      leases.replace("leader", {
        metadata: { name: "leader", resourceVersion: "{{0.metadata.resourceVersion}}" },
        spec: { holderIdentity: "you", leaseTransitions: 1 },
      }),
      leases.replace("leader", {
        metadata: { name: "leader", resourceVersion: "{{0.metadata.resourceVersion}}" },
        spec: { holderIdentity: "me" },
      }),
      leases.table("leader"),
      leases.replace("other", { metadata: { name: "other" }, spec: { holderIdentity: "put" } }),
      leases.create({ metadata: { name: "bad" }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
      leases.create({ metadata: { name: "Bad_Name" } }),
      leases.create({ metadata: { name: "odd" }, spec: { bogus: 1 } }, "?fieldValidation=Strict"),
      leases.create({ metadata: { name: "odd" }, spec: { holderIdentity: 1 } }),
      leases.remove("other"),
    ],
  },
  {
    name: "C13 C14 X2 priority class",
    steps: [
      priorityClasses.create({ metadata: { name: "group-high" }, value: 1000, description: "d" }),
      priorityClasses.table("group-high"),
      priorityClasses.patch("group-high", { globalDefault: true }),
      priorityClasses.patch("group-high", { value: 5, preemptionPolicy: "Never" }),
      priorityClasses.create({ metadata: { name: "group-bad" }, value: 2000000000, preemptionPolicy: "Sometimes" }),
      priorityClasses.create({ metadata: { name: "system-mine" }, value: 1 }),
      priorityClasses.remove("group-high"),
    ],
  },
  {
    name: "C4 C5 X2 runtime class",
    steps: [
      runtimeClasses.create({ metadata: { name: "group-gvisor" }, handler: "runsc" }),
      runtimeClasses.table("group-gvisor"),
      runtimeClasses.replace("group-gvisor", { metadata: { name: "group-gvisor" }, handler: "runsc" }),
      runtimeClasses.patch("group-gvisor", { handler: "other" }),
      runtimeClasses.patch("group-gvisor", { metadata: { annotations: { a: "b" } }, overhead: { podFixed: { cpu: "250m" } } }),
      runtimeClasses.create({ metadata: { name: "group-bad" } }),
      runtimeClasses.create({ metadata: { name: "group-bad" }, handler: "Bad_Handler", scheduling: { nodeSelector: { "a b": "c" } } }),
      runtimeClasses.create({
        metadata: { name: "group-bad" },
        handler: "x",
        overhead: { podFixed: { cpu: "-1" } },
        scheduling: { tolerations: [{ key: "a", operator: "Odd" }, { operator: "Exists" }, { operator: "Exists" }] },
      }),
      runtimeClasses.create({
        metadata: { name: "group-old" },
        handler: "x",
        scheduling: { nodeSelector: { "beta.kubernetes.io/os": "linux" } },
      }),
      runtimeClasses.replace("group-put", { metadata: { name: "group-put" }, handler: "x" }),
      runtimeClasses.remove("group-gvisor"),
    ],
  },
  {
    name: "C6 C7 C14 X2 pod disruption budget",
    steps: [
      budgets.create({
        metadata: { name: "web" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
        status: { currentHealthy: 3 },
      }),
      budgets.create({
        metadata: { name: "share" },
        spec: { maxUnavailable: "25%", selector: {}, unhealthyPodEvictionPolicy: "AlwaysAllow" },
      }),
      budgets.table(),
      budgets.patch("web", { spec: { minAvailable: 2 } }),
      budgets.replace("web", { metadata: { name: "web" }, spec: { minAvailable: 3 } }),
      budgets.patch("web/status", {
        metadata: { labels: { via: "status" } },
        spec: { minAvailable: 9 },
        status: { currentHealthy: 3, desiredHealthy: 1, expectedPods: 3, disruptionsAllowed: 2, observedGeneration: 2 },
      }),
      budgets.patch("web/status", {
        status: { currentHealthy: -1, conditions: [{ type: "bad type", status: "Maybe", reason: "no reason!" }] },
      }),
      budgets.patch("web", { status: { currentHealthy: 7 } }),
      budgets.create({ metadata: { name: "bad" }, spec: { minAvailable: 1, maxUnavailable: 1 } }),
      budgets.create({
        metadata: { name: "bad" },
        spec: { minAvailable: "120%", selector: { matchExpressions: [{ key: "a", operator: "In" }] } },
      }),
      budgets.create({ metadata: { name: "bad" }, spec: { maxUnavailable: "many", unhealthyPodEvictionPolicy: "Perhaps" } }),
      budgets.create({ metadata: { name: "bad" }, spec: { maxUnavailable: -1 } }),
      budgets.remove("web"),
    ],
  },
  {
    name: "C13 C14 X2 endpoint slice",
    steps: [
      slices.create({
        metadata: { name: "web-1", labels: { "kubernetes.io/service-name": "web" } },
        addressType: "IPv4",
        endpoints: [{ addresses: ["10.1.2.3"], conditions: { ready: true }, nodeName: "n1", zone: "z", deprecatedTopology: { a: "b" } }],
        ports: [
          { port: 80 },
          { name: "https", port: 443, protocol: "TCP" },
          { name: "dns", protocol: "UDP", port: 53 },
          { name: "d", port: 1 },
        ],
      }),
      slices.table(),
      slices.patch("web-1", { endpoints: [{ addresses: ["10.1.2.4"] }] }),
      slices.patch("web-1", { metadata: { labels: { x: "y" } } }),
      slices.patch("web-1", { metadata: { annotations: { x: "y" } } }),
      slices.patch("web-1", { addressType: "IPv6" }),
      slices.create({ metadata: { name: "empty" }, addressType: "IPv6", endpoints: [], ports: [] }),
      slices.table("empty"),
      slices.create({ metadata: { name: "bad" } }),
      slices.create({
        metadata: { name: "bad" },
        addressType: "IPv4",
        endpoints: [{ addresses: ["127.0.0.1", "10.01.1.1", "nope", "::1"] }, { addresses: [] }],
        ports: [{ name: "A_b" }, { name: "x" }, { name: "x", protocol: "ICMP" }],
      }),
      slices.create({
        metadata: { name: "bad" },
        addressType: "IPv6",
        endpoints: [{ addresses: ["2001:DB8::1", "fe80::1"], hostname: "a.b", nodeName: "N" }],
      }),
      slices.create({ metadata: { name: "fq" }, addressType: "FQDN", endpoints: [{ addresses: ["example.com"] }] }),
      slices.create({ metadata: { name: "bad" }, addressType: "Other", endpoints: [] }),
      slices.remove("web-1"),
    ],
  },
];
