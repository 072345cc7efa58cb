import assert from "node:assert/strict";
import { test } from "node:test";
import { startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";
import { LocalApi } from "./local-api.ts";
import { ServiceAddressRepair } from "./service-address-repair.ts";

const addresses = "/apis/networking.k8s.io/v1/ipaddresses";
const services = "/api/v1/namespaces/default/services";

async function statusOf(rig: AdmissionRig, ip: string): Promise<number> {
  return (await rig.call("GET", `${addresses}/${ip}`)).status;
}

function repairOf(rig: AdmissionRig): ServiceAddressRepair {
  return new ServiceAddressRepair(rig.server, new LocalApi(rig.server.transport(), "kube-apiserver"));
}

test("[SVC3] the IPAddress of a service that has lost it is made again, at the start and later", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", services, { metadata: { name: "a" }, spec: { clusterIP: "10.0.0.9", ports: [{ port: 80 }] } });
  await rig.call("DELETE", `${addresses}/10.0.0.9`);
  assert.equal(await statusOf(rig, "10.0.0.9"), 404);
  using repair = repairOf(rig);
  await repair.settled();
  assert.equal(await statusOf(rig, "10.0.0.9"), 200);
  await rig.call("DELETE", `${addresses}/10.0.0.9`);
  await repair.settled();
  assert.equal(await statusOf(rig, "10.0.0.9"), 200);
  await rig.call("DELETE", `${services}/a`);
  await repair.settled();
  assert.equal(await statusOf(rig, "10.0.0.9"), 404);
});

test("[SVC3] the IPAddress of a service that never came to be is deleted after a minute, and one that is somebody's own is not", async () => {
  await using rig = await startAdmissionRig();
  const labels = { "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io" };
  const spec = { parentRef: { resource: "services", namespace: "default", name: "lost" } };
  await rig.call("POST", addresses, { metadata: { name: "10.0.0.9", labels }, spec });
  await rig.call("POST", addresses, { metadata: { name: "10.0.0.10" }, spec });
  using repair = repairOf(rig);
  await rig.clock.advance(60_000);
  await repair.settled();
  assert.equal(await statusOf(rig, "10.0.0.9"), 200);
  await rig.clock.advance(2000);
  await repair.settled();
  assert.equal(await statusOf(rig, "10.0.0.9"), 404);
  assert.equal(await statusOf(rig, "10.0.0.10"), 200);
});
