import assert from "node:assert/strict";
import { test } from "node:test";
import { objectsField } from "../json-fields.ts";
import { createFirstObjects } from "../../upkeep/first-objects.ts";
import { LocalApi } from "../../upkeep/local-api.ts";
import { asObject, startAdmissionRig } from "../../testing/admission-rig.ts";
import type { AdmissionRig } from "../../testing/admission-rig.ts";

test("[SVC1] a cluster has addresses for a fleet, and says from where", async () => {
  await using rig = await startAdmissionRig();
  await createFirstObjects(new LocalApi(rig.server.transport(), "kube-apiserver"), { host: "192.0.2.1", port: 6443 });
  const ips = new Set<unknown>();
  for (let count = 0; count < 300; count++) ips.add(await createdIp(rig, `s${count}`));
  assert.equal(ips.size, 300);
  assert.ok(ips.has("10.0.1.1"));
  const { body } = await rig.call("GET", "/apis/networking.k8s.io/v1/servicecidrs/kubernetes");
  assert.deepEqual(body["spec"], { cidrs: ["10.0.0.0/16"] });
});

test("[SVC1] a range that is full has room again when a ServiceCIDR is added, or a Service goes", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", serviceCidrs, { metadata: { name: "first" }, spec: { cidrs: ["10.7.0.0/30"] } });
  assert.deepEqual([await createdIp(rig, "a"), await createdIp(rig, "b")], ["10.7.0.1", "10.7.0.2"]);
  const full = await createService(rig, "c");
  assert.match(JSON.stringify(full), /failed to allocate a serviceIP for Service \\"c\\": range is full/);
  await rig.call("POST", serviceCidrs, { metadata: { name: "more" }, spec: { cidrs: ["10.8.0.0/30"] } });
  assert.match(JSON.stringify(await createService(rig, "c", "10.9.0.1")), /The range of valid IPs is 10\.7\.0\.0\/30,10\.8\.0\.0\/30/);
  assert.deepEqual([await createdIp(rig, "c", "10.8.0.2"), await createdIp(rig, "d")], ["10.8.0.2", "10.8.0.1"]);
  await rig.call("DELETE", "/api/v1/namespaces/default/services/b");
  assert.equal(await createdIp(rig, "e"), "10.7.0.2");
});

test("[SVC2] the address of a service is that of an IPAddress, from before the service is there until after it is gone", async () => {
  await using rig = await startAdmissionRig();
  await createService(rig, "a", "10.0.0.9");
  const { body } = await rig.call("GET", `${addresses}/10.0.0.9`);
  assert.deepEqual(asObject(body["metadata"])["labels"], {
    "ipaddress.kubernetes.io/ip-family": "IPv4",
    "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
  });
  assert.deepEqual(body["spec"], { parentRef: { resource: "services", namespace: "default", name: "a" } });
  await rig.call("PATCH", `${services}/a`, {
    spec: { type: "ExternalName", externalName: "example.com", clusterIP: null, clusterIPs: null },
  });
  assert.deepEqual(await addressNames(rig), []);
  await rig.call("PATCH", `${services}/a`, { spec: { type: "ClusterIP", externalName: null, clusterIP: "10.0.0.10" } });
  assert.deepEqual(await addressNames(rig), ["10.0.0.10"]);
  await createService(rig, "b", "10.0.0.11");
  await rig.call("DELETE", services);
  assert.deepEqual(await addressNames(rig), []);
});

test("[SVC2] the write that takes a service its address and its last finalizer leaves no IPAddress", async () => {
  await using rig = await startAdmissionRig();
  const metadata = { name: "a", finalizers: ["example.com/hold"] };
  await rig.call("POST", services, { metadata, spec: { clusterIP: "10.0.0.9", ports: [{ port: 80 }] } });
  await rig.call("DELETE", `${services}/a`);
  assert.deepEqual(await addressNames(rig), ["10.0.0.9"]);
  await rig.call("PATCH", `${services}/a`, {
    metadata: { finalizers: null },
    spec: { type: "ExternalName", externalName: "example.com", clusterIP: null, clusterIPs: null },
  });
  assert.equal((await rig.call("GET", `${services}/a`)).status, 404);
  assert.deepEqual(await addressNames(rig), []);
});

test("[SVC2] what is refused, or only tried, leaves no IPAddress, and a service without an address has none", async () => {
  await using rig = await startAdmissionRig();
  const refused = await rig.call("POST", services, { metadata: { name: "a" }, spec: { clusterIP: "10.0.0.9", ports: [{ port: -1 }] } });
  assert.equal(refused.status, 422);
  await rig.call("POST", `${services}?dryRun=All`, { metadata: { name: "a" }, spec: { clusterIP: "10.0.0.9", ports: [{ port: 80 }] } });
  await createService(rig, "headless", "None");
  assert.deepEqual(await addressNames(rig), []);
});

test("[SVC2] an address of which somebody else made an IPAddress is not given to services", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", serviceCidrs, { metadata: { name: "small" }, spec: { cidrs: ["10.7.0.0/30"] } });
  const parentRef = { group: "example.com", resource: "gateways", namespace: "default", name: "mine" };
  await rig.call("POST", addresses, { metadata: { name: "10.7.0.1" }, spec: { parentRef } });
  assert.match(JSON.stringify(await createService(rig, "a", "10.7.0.1")), /provided IP is already allocated/);
  assert.equal(await createdIp(rig, "a"), "10.7.0.2");
  assert.match(JSON.stringify(await createService(rig, "b")), /range is full/);
});

async function addressNames(rig: AdmissionRig): Promise<readonly unknown[]> {
  const { body } = await rig.call("GET", addresses);
  return objectsField(body, "items").map(({ metadata }) => asObject(metadata)["name"]);
}

const services = "/api/v1/namespaces/default/services";
const addresses = "/apis/networking.k8s.io/v1/ipaddresses";
const serviceCidrs = "/apis/networking.k8s.io/v1/servicecidrs";

async function createService(rig: AdmissionRig, name: string, clusterIP = ""): ReturnType<AdmissionRig["call"]> {
  const spec = { ports: [{ port: 80 }], ...(clusterIP === "" ? {} : { clusterIP }) };
  return await rig.call("POST", services, { metadata: { name }, spec });
}

async function createdIp(rig: AdmissionRig, name: string, clusterIP = ""): Promise<unknown> {
  const { body } = await createService(rig, name, clusterIP);
  return asObject(body["spec"])["clusterIP"];
}
