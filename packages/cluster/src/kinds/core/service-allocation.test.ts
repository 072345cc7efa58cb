import assert from "node:assert/strict";
import { test } from "node:test";
import { createFirstObjects } from "../../startup/first-objects.ts";
import { LocalApi } from "../../startup/local-api.ts";
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

const serviceCidrs = "/apis/networking.k8s.io/v1/servicecidrs";

async function createService(rig: AdmissionRig, name: string, clusterIP = ""): ReturnType<AdmissionRig["call"]> {
  const spec = { ports: [{ port: 80 }], ...(clusterIP === "" ? {} : { clusterIP }) };
  return await rig.call("POST", "/api/v1/namespaces/default/services", { metadata: { name }, spec });
}

async function createdIp(rig: AdmissionRig, name: string, clusterIP = ""): Promise<unknown> {
  const { body } = await createService(rig, name, clusterIP);
  return asObject(body["spec"])["clusterIP"];
}
