import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const ingresses = callsTo("/apis/networking.k8s.io/v1/namespaces/group-kinds/ingresses");
const ingressClasses = callsTo("/apis/networking.k8s.io/v1/ingressclasses");
const policies = callsTo("/apis/networking.k8s.io/v1/namespaces/group-kinds/networkpolicies");
const addresses = callsTo("/apis/networking.k8s.io/v1/ipaddresses");
const ranges = callsTo("/apis/networking.k8s.io/v1/servicecidrs");

const toWeb = { service: { name: "web", port: { number: 80 } } };

/** The kinds of networking.k8s.io. */
export const networkingScenarios: readonly Scenario[] = [
  {
    name: "C6 C7 C14 X2 ingress",
    steps: [
      ingresses.create({
        metadata: { name: "site" },
        spec: {
          ingressClassName: "nginx",
          tls: [{ hosts: ["a.example.com"], secretName: "cert" }],
          rules: [{ host: "a.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend: toWeb }] } }],
        },
      }),
      ingresses.create({
        metadata: { name: "default", annotations: { "kubernetes.io/ingress.class": "old" } },
        spec: { defaultBackend: toWeb },
      }),
      ingresses.create({
        metadata: { name: "hosts" },
        spec: { rules: [{ host: "a.b" }, { host: "b.b" }, { host: "c.b" }, { host: "*.d.b" }] },
      }),
      ingresses.patch("site/status", {
        status: { loadBalancer: { ingress: [{ ip: "10.1.2.3" }, { hostname: "lb.example.com", ports: [{ port: 80, protocol: "TCP" }] }] } },
      }),
      ingresses.table(),
      ingresses.patch("site", { spec: { defaultBackend: { resource: { apiGroup: "example.com", kind: "Bucket", name: "static" } } } }),
      ingresses.patch("site/status", { status: { loadBalancer: { ingress: [{ ip: "10.01.2.3", hostname: "1.2.3.4" }] } } }),
      ingresses.create({ metadata: { name: "bad" }, spec: {} }),
      ingresses.create({
        metadata: { name: "bad", annotations: { "kubernetes.io/ingress.class": "x" } },
        spec: { ingressClassName: "y", defaultBackend: toWeb },
      }),
      ingresses.create({
        metadata: { name: "bad" },
        spec: {
          ingressClassName: "A_b",
          defaultBackend: {},
          tls: [{ hosts: ["*", "A"], secretName: "B_c" }],
          rules: [
            { host: "1.2.3.4", http: { paths: [] } },
            {
              host: "foo.*.com",
              http: { paths: [{ backend: toWeb }, { path: "a", pathType: "Exact", backend: { service: { name: "", port: {} } } }] },
            },
            {
              http: {
                paths: [
                  { path: "/a//b/..", pathType: "Prefix", backend: { service: { name: "x", port: { name: "p", number: 1 } } } },
                  { pathType: "Odd", backend: { ...toWeb, resource: { kind: "a", name: "b" } } },
                ],
              },
            },
            {
              http: {
                paths: [
                  { pathType: "ImplementationSpecific", path: "x", backend: { service: { name: "X", port: { name: "a_b--" } } } },
                  { pathType: "Exact", path: "/", backend: { service: { name: "x", port: { number: 70000 } } } },
                ],
              },
            },
          ],
        },
      }),
      ingresses.remove("site"),
    ],
  },
  {
    name: "C13 C14 X2 ingress class",
    steps: [
      ingressClasses.create({
        metadata: { name: "group-nginx", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
        spec: { controller: "example.com/nginx", parameters: { apiGroup: "example.com", kind: "Params", name: "p" } },
      }),
      ingressClasses.table("group-nginx"),
      ingressClasses.patch("group-nginx", { spec: { controller: "example.com/other" } }),
      ingressClasses.patch("group-nginx", { spec: { parameters: { scope: "Namespace" } } }),
      ingressClasses.create({
        metadata: { name: "group-bad" },
        spec: { controller: "nodomain", parameters: { scope: "Cluster", namespace: "x", kind: "", name: "a/b" } },
      }),
      ingressClasses.create({ metadata: { name: "group-bad" }, spec: {} }),
      ingressClasses.remove("group-nginx"),
    ],
  },
  {
    name: "C13 C14 X2 network policy",
    steps: [
      policies.create({ metadata: { name: "deny" }, spec: { podSelector: {} } }),
      policies.create({
        metadata: { name: "web" },
        spec: {
          podSelector: { matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "In", values: ["b", "a"] }] },
          ingress: [
            {
              from: [{ namespaceSelector: {} }, { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }],
              ports: [{ port: 80 }, { port: "http", protocol: "UDP" }],
            },
          ],
          egress: [{ ports: [{ port: 1000, endPort: 2000 }] }],
        },
      }),
      policies.table(),
      policies.patch("web", { spec: { policyTypes: ["Egress"] } }),
      policies.create({
        metadata: { name: "bad" },
        spec: {
          podSelector: { matchLabels: { "a b": "c" } },
          policyTypes: ["Ingress", "Sideways"],
          ingress: [
            {
              from: [
                {},
                { podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } },
                { ipBlock: { cidr: "10.0.0.1/8", except: ["11.0.0.0/16", "10.0.0.0/8", "x"] } },
                { ipBlock: { cidr: "" } },
              ],
            },
            {
              ports: [
                { protocol: "ICMP" },
                { port: 0, endPort: 70000 },
                { port: 10, endPort: 5 },
                { port: "a_b", endPort: 5 },
                { endPort: 5 },
              ],
            },
          ],
        },
      }),
      policies.create({ metadata: { name: "bad" }, spec: { podSelector: {}, policyTypes: ["Ingress", "Egress", "Ingress"] } }),
      policies.remove("web"),
    ],
  },
  {
    name: "C14 X2 addresses and ranges of services",
    steps: [
      addresses.create({
        metadata: { name: "192.168.7.1" },
        spec: { parentRef: { resource: "services", namespace: "group-kinds", name: "web" } },
      }),
      addresses.table("192.168.7.1"),
      addresses.patch("192.168.7.1", { spec: { parentRef: { name: "other" } } }),
      addresses.create({ metadata: { name: "192.168.07.1" }, spec: {} }),
      addresses.create({ metadata: { name: "2001:DB8::1" }, spec: { parentRef: { group: "A", resource: "", name: "" } } }),
      addresses.create({ metadata: { name: "not-an-ip" }, spec: { parentRef: { resource: "r", name: "n" } } }),
      addresses.remove("192.168.7.1"),
      ranges.create({ metadata: { name: "group-range" }, spec: { cidrs: ["192.168.7.0/24"] } }),
      ranges.table("group-range"),
      ranges.patch("group-range", { spec: { cidrs: ["192.168.8.0/24"] } }),
      ranges.patch("group-range", { spec: { cidrs: ["192.168.7.0/24", "2001:db8::/64"] } }),
      ranges.create({ metadata: { name: "group-bad" }, spec: {} }),
      ranges.create({ metadata: { name: "group-bad" }, spec: { cidrs: ["192.168.7.1/24", "10.0.0.0/8"] } }),
      ranges.create({ metadata: { name: "group-bad" }, spec: { cidrs: ["192.168.7.0/24", "10.0.0.0/8", "11.0.0.0/8"] } }),
      ranges.remove("group-range"),
    ],
  },
];
