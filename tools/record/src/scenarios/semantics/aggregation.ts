import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const apiServices = callsTo("/apis/apiregistration.k8s.io/v1/apiservices");
const services = callsTo("/api/v1/namespaces/aggregation/services");
const slices = callsTo("/apis/discovery.k8s.io/v1/namespaces/aggregation/endpointslices");

/** Nobody is behind the service, whatever the scenario makes of it. Each has a group of its own: a real server notices changes only slowly. */
const remote = (group: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: `v1.${group}.example.com` },
  spec: {
    group: `${group}.example.com`,
    version: "v1",
    service: { namespace: "aggregation", name: group },
    insecureSkipTLSVerify: true,
    groupPriorityMinimum: 100,
    versionPriority: 10,
    ...spec,
  },
});
const untilReason = (group: string, reason: string): Step => ({ ...apiServices.get(`v1.${group}.example.com`), until: `"${reason}"` });
const get = (path: string, headers: Readonly<Record<string, string>> = {}): Step => ({ method: "GET", path, headers });
const slice = (name: string, ready: boolean, portName: string): JsonObject => ({
  metadata: { name, labels: { "kubernetes.io/service-name": name } },
  addressType: "IPv4",
  endpoints: [{ addresses: ["192.0.2.7"], conditions: { ready } }],
  ports: [{ name: portName, port: 8443, protocol: "TCP" }],
});

/** Versions of groups that another server serves, as far as that can be seen without one. */
export const aggregationScenarios: readonly Scenario[] = [
  {
    name: "G1 why another server is not available",
    steps: [
      apiServices.create(remote("reasons")),
      untilReason("reasons", "ServiceNotFound"),
      services.create({ metadata: { name: "reasons" }, spec: { ports: [{ name: "other", port: 80, protocol: "TCP" }] } }),
      untilReason("reasons", "ServicePortError"),
      services.patch("reasons", { spec: { ports: [{ name: "https", port: 443, protocol: "TCP" }] } }),
      untilReason("reasons", "EndpointsNotFound"),
      slices.create(slice("reasons", false, "https")),
      untilReason("reasons", "MissingEndpoints"),
      slices.replace("reasons", slice("reasons", true, "odd")),
      untilReason("reasons", "MissingEndpoints"),
      apiServices.table("v1.reasons.example.com"),
      apiServices.remove("v1.reasons.example.com"),
    ],
  },
  {
    name: "G1 requests for a server that is not available",
    steps: [
      apiServices.create(remote("away")),
      untilReason("away", "ServiceNotFound"),
      { ...get("/apis/away.example.com/v1/things"), until: "service unavailable" },
      get("/apis/away.example.com/v1"),
      get("/apis/away.example.com/v1/namespaces/aggregation/things/a?watch=true"),
      { method: "POST", path: "/apis/away.example.com/v1/namespaces/aggregation/things", body: { metadata: { name: "a" } } },
      { method: "DELETE", path: "/apis/away.example.com/v1/namespaces/aggregation/things/a" },
      get("/apis/away.example.com/v2/things"),
      apiServices.remove("v1.away.example.com"),
      { ...get("/apis/away.example.com/v1/things"), until: "404" },
    ],
  },
  {
    name: "G3 discovery of a server that is not available",
    steps: [
      apiServices.create(remote("listed")),
      apiServices.create({
        metadata: { name: "v2.listed.example.com" },
        spec: { ...Object(remote("listed")["spec"]), version: "v2", versionPriority: 20 },
      }),
      { ...get("/apis/listed.example.com"), until: '"v2"' },
      get("/apis/listed.example.com", { accept: "application/yaml" }),
      apiServices.patch("v2.listed.example.com", { spec: { versionPriority: 5 } }),
      { ...get("/apis/listed.example.com"), until: '"preferredVersion":{"groupVersion":"listed.example.com/v1"' },
      apiServices.remove("v1.listed.example.com"),
      apiServices.remove("v2.listed.example.com"),
    ],
  },
  {
    name: "G1 what an APIService may say",
    steps: [
      apiServices.create({ metadata: { name: "v1.rules.example.com" }, spec: {} }),
      apiServices.create({ ...remote("rules"), metadata: { name: "v1.other.example.com" } }),
      apiServices.create(remote("rules", { caBundle: "aGVsbG8=" })),
      apiServices.create(remote("rules", { groupPriorityMinimum: 30_000, versionPriority: 0 })),
      apiServices.create(remote("rules", { service: { namespace: "", name: "", port: 70_000 } })),
      apiServices.create(remote("rules", { service: null, insecureSkipTLSVerify: true })),
      apiServices.create(remote("rules", { version: "V_1" })),
      apiServices.create({
        metadata: { name: "v1.local.example.com" },
        spec: { ...Object(remote("local")["spec"]), service: null, insecureSkipTLSVerify: false },
      }),
      get("/apis/local.example.com/v1/things"),
      apiServices.remove("v1.local.example.com"),
    ],
  },
];
