import { objectField, objectsField } from "../kinds/json-fields.ts";
import type { LocalApi } from "./local-api.ts";

/** Namespaces that every cluster has. */
const namespaces = ["default", "kube-system", "kube-public", "kube-node-lease"] as const;

/** Where an API server is reached. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Makes what clients expect to find in any cluster. */
export async function createFirstObjects(api: LocalApi, server: ServerAddress): Promise<void> {
  await createNeededObjects(api);
  await createServerObjects(api, server);
}

/** Makes what other objects need to be there. */
export async function createNeededObjects(api: LocalApi): Promise<void> {
  for (const name of namespaces) await api.ensure("/api/v1/namespaces", { metadata: { name } });
  await createPriorityClasses(api);
}

/** Makes what says where the server is. A real server does so when it is ready. */
export async function createServerObjects(api: LocalApi, server: ServerAddress): Promise<void> {
  await createServiceRange(api);
  await createKubernetesService(api, server);
}

async function createPriorityClasses(api: LocalApi): Promise<void> {
  const path = "/apis/scheduling.k8s.io/v1/priorityclasses";
  const description = (scope: string): string => `Used for system critical pods that must ${scope}.`;
  await api.ensure(path, {
    metadata: { name: "system-cluster-critical" },
    value: 2_000_000_000,
    description: description("run in the cluster, but can be moved to another node if necessary"),
  });
  await api.ensure(path, {
    metadata: { name: "system-node-critical" },
    value: 2_000_001_000,
    description: description("not be moved from their current node"),
  });
}

/**
 * Where services get their addresses from: room for 65 534 of them. It begins where the default of kube-apiserver does, of whose 254 this is
 * more, so that the Service `kubernetes` has the address by which certificates and data folders know it.
 */
const serviceRange = "10.0.0.0/16";

async function createServiceRange(api: LocalApi): Promise<void> {
  const collection = "/apis/networking.k8s.io/v1/servicecidrs";
  await api.ensure(collection, { metadata: { name: "kubernetes" }, spec: { cidrs: [serviceRange] } });
  const range = await api.send("GET", `${collection}/kubernetes`);
  if (objectsField(objectField(range, "status"), "conditions").length > 0) return;
  const lastTransitionTime = range.metadata.creationTimestamp ?? "";
  const ready = { type: "Ready", status: "True", lastTransitionTime, reason: "", message: "Kubernetes default Service CIDR is ready" };
  await api.send("PUT", `${collection}/kubernetes/status`, { ...range, status: { conditions: [ready] } });
}

/** The Service under which pods, and tests that look for it, find the API server. The port may be another than at the last start. */
async function createKubernetesService(api: LocalApi, { host, port }: ServerAddress): Promise<void> {
  const ports = [{ name: "https", port, protocol: "TCP" }];
  await api.apply("/api/v1/namespaces/default/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kubernetes", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: { clusterIP: "10.0.0.1", ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }] },
  });
  await api.apply("/api/v1/namespaces/default/endpoints", {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "kubernetes", labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip: host }], ports }],
  });
  await api.apply("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "kubernetes", labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports,
  });
}
