import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { serviceResolver } from "./service-resolver.ts";
import { startAdmissionRig } from "./testing/admission-rig.ts";
import type { AdmissionRig } from "./testing/admission-rig.ts";

const services = "/api/v1/namespaces/default/services";
const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const hooks = { namespace: "default", name: "hooks", port: 443 };

test("[ADM20] a service is reached at a ready endpoint, at the port that has the name of the one that is called", async () => {
  await using rig = await startAdmissionRig();
  const resolve = serviceResolver(rig.server.registry.storage, seededRandom(1));
  assert.throws(() => resolve(hooks), { message: 'service "hooks" not found' });
  await rig.call("POST", services, { metadata: { name: "hooks" }, spec: { ports: [{ name: "https", port: 443 }] } });
  assert.throws(() => resolve(hooks), { message: 'no endpoints available for service "hooks"' });
  assert.throws(() => resolve({ ...hooks, port: 80 }), { message: 'no service port 80 found for service "hooks"' });
  await addSlice(rig, "other", [{ addresses: ["10.1.1.1"] }]);
  assert.throws(() => resolve(hooks), { message: 'no endpoints available for service "hooks"' });
  await addSlice(rig, "hooks", [{ addresses: ["10.1.1.2"], conditions: { ready: false } }, { addresses: ["10.1.1.3"] }]);
  assert.equal(resolve(hooks).host, "10.1.1.3:9443");
});

test("[ADM20] any of several ready endpoints is called", async () => {
  await using rig = await startAdmissionRig();
  const resolve = serviceResolver(rig.server.registry.storage, seededRandom(1));
  await rig.call("POST", services, { metadata: { name: "hooks" }, spec: { ports: [{ name: "https", port: 443 }] } });
  await addSlice(rig, "hooks", [{ addresses: ["10.1.1.1"] }, { addresses: ["10.1.1.2"] }, { addresses: ["10.1.1.3"] }]);
  const called = new Set(Array.from({ length: 50 }, () => resolve(hooks).hostname));
  assert.deepEqual([...called].toSorted(), ["10.1.1.1", "10.1.1.2", "10.1.1.3"]);
});

test("[ADM20] a service that stands for another host is that host", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", services, { metadata: { name: "hooks" }, spec: { type: "ExternalName", externalName: "example.com" } });
  assert.equal(serviceResolver(rig.server.registry.storage, seededRandom(1))(hooks).host, "example.com");
});

async function addSlice(rig: AdmissionRig, service: string, endpoints: readonly JsonObject[]): Promise<void> {
  await rig.call("POST", slices, {
    metadata: { name: `${service}-1`, labels: { "kubernetes.io/service-name": service } },
    addressType: "IPv4",
    endpoints,
    ports: [{ name: "https", port: 9443, protocol: "TCP" }],
  });
}
