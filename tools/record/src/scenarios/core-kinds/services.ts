import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const services = callsTo("/api/v1/namespaces/core-kinds/services");
const endpoints = callsTo("/api/v1/namespaces/core-kinds/endpoints");

const http = { port: 80 };

function service(name: string, spec: JsonObject): JsonObject {
  return { metadata: { name }, spec };
}

function tried(spec: JsonObject): Step {
  return services.create(service("tried", spec), "?dryRun=All");
}

/** Services and Endpoints. */
export const serviceScenarios: readonly Scenario[] = [
  {
    name: "C13 service defaults",
    steps: [
      services.create(service("web", { selector: { app: "web" }, ports: [http] })),
      services.table("web"),
      services.create(service("headless", { clusterIP: "None", selector: { app: "web" }, ports: [http] })),
      services.create(service("unbound", { clusterIP: "None" })),
      services.create(service("external", { type: "ExternalName", externalName: "example.com." })),
      services.create(
        service("nodes", {
          type: "NodePort",
          ports: [
            { ...http, name: "a" },
            { port: 53, name: "b", protocol: "UDP", targetPort: "dns" },
          ],
        }),
      ),
      services.table("nodes"),
      services.create(service("balanced", { type: "LoadBalancer", externalTrafficPolicy: "Local", ports: [http] })),
      services.table("balanced"),
      services.create(service("sticky", { sessionAffinity: "ClientIP", ports: [{ ...http, targetPort: "" }] })),
      services.create(service("outside", { externalIPs: ["192.0.2.7"], ports: [{ ...http, appProtocol: "kubernetes.io/h2c" }] })),
      services.create(
        service("unported", {
          type: "LoadBalancer",
          allocateLoadBalancerNodePorts: false,
          loadBalancerClass: "example.com/x",
          ports: [http],
        }),
      ),
      services.create(service("preferring", { ipFamilyPolicy: "PreferDualStack", ports: [http], trafficDistribution: "PreferClose" })),
      services.list("?fieldSelector=spec.type=NodePort"),
      services.list("?fieldSelector=spec.clusterIP=None"),
      services.list("?fieldSelector=spec.selector=x"),
    ],
  },
  {
    name: "C14 service rules",
    steps: [
      tried({}),
      tried({ ports: [{ port: 0 }, { port: 70000, name: "UPPER", protocol: "ICMP", targetPort: "a--b" }] }),
      tried({
        ports: [
          { port: 80, name: "a" },
          { port: 80, name: "a" },
        ],
      }),
      tried({ type: "Odd", sessionAffinity: "Odd", internalTrafficPolicy: "Odd", trafficDistribution: "Odd", ports: [http] }),
      tried({ type: "ExternalName" }),
      tried({ type: "ExternalName", externalName: "Not A Name", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }),
      tried({ type: "NodePort", clusterIP: "None", ports: [http] }),
      tried({
        ports: [{ ...http, nodePort: 30100 }],
        externalTrafficPolicy: "Local",
        loadBalancerClass: "x",
        allocateLoadBalancerNodePorts: true,
      }),
      tried({ type: "NodePort", ports: [{ ...http, nodePort: 80 }] }),
      tried({ type: "LoadBalancer", ports: [http], loadBalancerSourceRanges: ["10.0.0.0/8", "nonsense", "10.1.2.3/8"] }),
      tried({ ports: [http], loadBalancerSourceRanges: ["10.0.0.0/8"], healthCheckNodePort: 30500 }),
      tried({ ports: [http], sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
      tried({ ports: [http], externalIPs: ["127.0.0.1", "nonsense", "169.254.1.1"] }),
      tried({ ports: [http], clusterIP: "nonsense" }),
      tried({ ports: [http], clusterIP: "10.5.5.5" }),
      tried({ ports: [http], clusterIPs: ["10.0.0.99"] }),
      tried({ ports: [http], clusterIP: "10.0.0.98", clusterIPs: ["10.0.0.99"] }),
      tried({ ports: [http], ipFamilies: ["IPv6"] }),
      tried({ ports: [http], ipFamilies: ["IPv4", "IPv4", "IPv5"] }),
      tried({ ports: [http], ipFamilyPolicy: "RequireDualStack" }),
      tried({ ports: [http], ipFamilyPolicy: "Odd" }),
      tried({ ports: [http], selector: { "a b": "c" } }),
      services.create({ metadata: { name: "Upper" }, spec: { ports: [http] } }),
      services.create({ metadata: { name: "1digit" }, spec: { ports: [http] } }, "?dryRun=All"),
      services.create({ metadata: { name: "with.dots" }, spec: { ports: [http] } }),
      tried({ ports: [{ port: "80" }] }),
    ],
  },
  {
    name: "C15 service addresses",
    steps: [
      services.create(service("first", { clusterIP: "10.0.0.200", type: "NodePort", ports: [{ ...http, nodePort: 31999 }] })),
      services.create(service("second", { clusterIP: "10.0.0.200", ports: [http] })),
      services.create(service("second", { type: "NodePort", ports: [{ ...http, nodePort: 31999 }] })),
      services.create(
        service("second", {
          type: "NodePort",
          ports: [
            { port: 53, protocol: "UDP", name: "u" },
            { port: 53, protocol: "TCP", name: "t", nodePort: 31998 },
          ],
        }),
      ),
      services.create(service("first", { clusterIP: "10.0.0.200", ports: [http] })),
      services.create(service("first", { ports: [http] })),
      services.patch("first", {
        spec: {
          ports: [
            { ...http, name: "one", nodePort: 31999 },
            { port: 81, name: "two" },
          ],
        },
      }),
      services.patch("second", { spec: { ports: [{ port: 53, name: "t", nodePort: 31999 }] } }),
      services.create(
        service("twice", {
          type: "NodePort",
          ports: [
            { port: 1, name: "one", nodePort: 31996 },
            { port: 2, name: "two", nodePort: 31996 },
          ],
        }),
      ),
      services.remove("first"),
      services.create(service("third", { clusterIP: "10.0.0.200", ports: [http] })),
    ],
  },
  {
    name: "C3 C15 service updates",
    steps: [
      services.create(service("web", { clusterIP: "10.0.0.201", selector: { app: "a" }, ports: [http] })),
      services.replace("web", service("web", { selector: { app: "b" }, ports: [http] })),
      services.patch("web", { spec: { clusterIP: "10.0.0.202" } }),
      services.patch("web", { spec: { clusterIP: "" } }),
      services.patch("web", { spec: { type: "NodePort" } }),
      services.patch("web", { spec: { ports: [{ port: 80, nodePort: 31997 }] } }),
      services.replace("web", service("web", { type: "NodePort", ports: [http] })),
      services.patch("web", { spec: { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 31996 } }),
      services.patch("web", { spec: { healthCheckNodePort: 31995 } }),
      services.patch("web/status", { status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } } }),
      services.patch("web/status", {
        status: {
          loadBalancer: { ingress: [{ ip: "nonsense", ipMode: "Odd" }, { hostname: "1.2.3.4" }, { hostname: "a", ipMode: "VIP" }] },
        },
      }),
      services.table("web"),
      services.patch("web", { spec: { loadBalancerClass: "example.com/a" } }),
      services.patch("web", { spec: { type: "ClusterIP" } }),
      services.patch("web", { spec: { type: "ExternalName", externalName: "example.com" } }),
      services.patch("web", { spec: { type: "ClusterIP", externalName: null, clusterIP: "10.0.0.203" } }),
      services.patch("web", { spec: { ipFamilyPolicy: "RequireDualStack" } }),
      services.patch("web", { spec: { ports: [] } }),
      services.patch("web/status", { status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } } }),
      services.replace("made-by-put", service("made-by-put", { clusterIP: "10.0.0.204", ports: [http] })),
      services.remove("web"),
    ],
  },
  {
    name: "C5 C13 C14 X2 endpoints",
    steps: [
      endpoints.create({
        metadata: { name: "web" },
        subsets: [
          { addresses: [{ ip: "10.244.0.1" }, { ip: "10.244.0.2" }], ports: [{ port: 80 }] },
          { addresses: [{ ip: "fd00::1" }, { ip: "10.244.0.4" }], ports: [{ port: 81, protocol: "UDP" }] },
        ],
      }),
      endpoints.table("web"),
      endpoints.create({ metadata: { name: "empty" } }),
      endpoints.table("empty"),
      endpoints.create({
        metadata: { name: "bad" },
        subsets: [{}, { addresses: [{ ip: "nonsense", hostname: "A", nodeName: "B" }, { ip: "127.0.0.1" }, { ip: "0.0.0.0" }] }],
      }),
      endpoints.create({
        metadata: { name: "bad" },
        subsets: [{ addresses: [{ ip: "10.1.1.1" }], ports: [{ port: 0 }, { port: 1, name: "A", protocol: "Odd", appProtocol: "a b" }] }],
      }),
      endpoints.replace("by-put", { metadata: { name: "by-put" }, subsets: [{ notReadyAddresses: [{ ip: "10.244.0.5" }] }] }),
      endpoints.patch("web", { subsets: [{ addresses: [{ ip: "224.0.0.1" }] }] }),
      endpoints.remove("web"),
    ],
  },
];
