import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";
import { pod, pods, status, tried } from "./pod-calls.ts";

const services = callsTo("/api/v1/namespaces/core-kinds/services");
const endpoints = callsTo("/api/v1/namespaces/core-kinds/endpoints");
const nodes = callsTo("/api/v1/nodes");
const ports = [{ port: 80 }];

/** Addresses that are right but written oddly, and what goes with them. */
export const addressScenarios: readonly Scenario[] = [
  {
    name: "C9 warnings about addresses",
    steps: [
      tried({
        dnsConfig: { nameservers: ["10.0.0.1", "2001:DB8::1", "2001:db8:0:0:0:0:0:1"] },
        hostAliases: [{ ip: "0:0:0:0:0:0:0:1", hostnames: ["a"] }],
      }),
      pods.create(pod("addressed", { nodeName: "far-away" })),
      status("addressed", {
        podIP: "FD00::1",
        podIPs: [{ ip: "FD00::1" }],
        hostIP: "10.0.0.1",
        hostIPs: [{ ip: "10.0.0.1" }, { ip: "FD00::2" }],
      }),
      services.create({ metadata: { name: "odd" }, spec: { ports, externalIPs: ["2001:DB8::1"], externalName: "there" } }),
      services.create(
        {
          metadata: { name: "balanced", annotations: { "service.kubernetes.io/topology-aware-hints": "auto" } },
          spec: { ports, type: "LoadBalancer", loadBalancerIP: "2001:DB8::2", loadBalancerSourceRanges: ["2001:DB8::/32", "10.0.0.0/8"] },
        },
        "?dryRun=All",
      ),
      services.create(
        {
          metadata: { name: "headless" },
          spec: { ports, clusterIP: "None", externalIPs: ["10.1.2.3"], sessionAffinity: "ClientIP", trafficDistribution: "PreferClose" },
        },
        "?dryRun=All",
      ),
      services.patch("odd/status", { status: { loadBalancer: { ingress: [{ ip: "2001:DB8::3" }] } } }),
      endpoints.create({
        metadata: { name: "loose" },
        subsets: [{ addresses: [{ ip: "2001:DB8::4" }, { ip: "10.0.0.1" }], notReadyAddresses: [{ ip: "2001:DB8::5" }], ports }],
      }),
      endpoints.create(
        {
          metadata: { name: "managed", labels: { "endpoints.kubernetes.io/managed-by": "endpoint-controller" } },
          subsets: [{ addresses: [{ ip: "2001:DB8::4" }], ports }],
        },
        "?dryRun=All",
      ),
      nodes.create({ metadata: { name: "core-kinds-addressed" }, spec: { podCIDR: "FD00:1::/64", externalID: "x" } }),
      nodes.remove("core-kinds-addressed"),
    ],
  },
  {
    name: "D1 endpoints go with their service",
    steps: [
      services.create({ metadata: { name: "pair" }, spec: { ports } }),
      endpoints.create({ metadata: { name: "pair" }, subsets: [{ addresses: [{ ip: "10.9.8.7" }], ports }] }),
      { method: "DELETE", path: "/api/v1/namespaces/core-kinds/services/pair?dryRun=All" },
      endpoints.get("pair"),
      services.remove("pair"),
      endpoints.get("pair"),
      services.create({ metadata: { name: "held", finalizers: ["example.com/hold"] }, spec: { ports } }),
      endpoints.create({ metadata: { name: "held", finalizers: ["example.com/hold"] } }),
      services.remove("held"),
      endpoints.get("held"),
      services.patch("held", { metadata: { finalizers: [] } }),
      endpoints.get("held"),
      endpoints.patch("held", { metadata: { finalizers: [] } }),
    ],
  },
];
