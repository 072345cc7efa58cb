import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { asObject, startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const quotas = "/api/v1/namespaces/default/resourcequotas";
const maps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";

test("[ADM10] of many creations at once just as many pass as the quota has room for", async () => {
  await using rig = await startAdmissionRig();
  await addQuota(rig, { configmaps: "50" }, { configmaps: "0" });
  const names = Array.from({ length: 200 }, (_, index) => `map-${index}`);
  const answers = await Promise.all(names.map((name) => rig.call("POST", maps, { metadata: { name } })));
  assert.equal(answers.filter(({ status }) => status === 201).length, 50);
  assert.equal(answers.filter(({ status }) => status === 403).length, 150);
  assert.deepEqual(await used(rig), { configmaps: "50" });
});

test("[ADM10] a quota that others write meanwhile is charged all the same", async () => {
  await using rig = await startAdmissionRig();
  await addQuota(rig, { configmaps: "100" }, { configmaps: "0" });
  const names = Array.from({ length: 20 }, (_, index) => `map-${index}`);
  await Promise.all(
    names.flatMap((name) => [
      rig.call("POST", maps, { metadata: { name } }),
      rig.call("PATCH", `${quotas}/q`, { metadata: { labels: { touched: name } } }),
    ]),
  );
  assert.deepEqual(await used(rig), { configmaps: "20" });
});

test("[ADM11] what is only tried is not charged", async () => {
  await using rig = await startAdmissionRig();
  await addQuota(rig, { configmaps: "1" }, { configmaps: "0" });
  assert.equal((await rig.call("POST", `${maps}?dryRun=All`, { metadata: { name: "a" } })).status, 201);
  assert.deepEqual(await used(rig), { configmaps: "0" });
});

test("[ADM12] overhead, sidecars and what is asked for a whole pod count", async () => {
  await using rig = await startAdmissionRig();
  await addQuota(rig, { "requests.cpu": "100", "requests.example.com/gpu": "5" }, { "requests.cpu": "0", "requests.example.com/gpu": "0" });
  const asking = (cpu: string, more: JsonObject = {}): JsonObject => ({ requests: { cpu, ...more }, limits: { ...more } });
  const gpu = { "example.com/gpu": "2" };
  const spec = {
    containers: [{ name: "a", image: "a", resources: asking("1", gpu) }],
    initContainers: [{ name: "s", image: "a", restartPolicy: "Always", resources: asking("2") }],
  };
  assert.equal((await rig.call("POST", pods, { metadata: { name: "a" }, spec })).status, 201);
  assert.deepEqual(await used(rig), { "requests.cpu": "3", "requests.example.com/gpu": "2" });
  const whole = { ...spec, resources: { requests: { cpu: "10" } } };
  assert.equal((await rig.call("POST", pods, { metadata: { name: "b" }, spec: whole })).status, 201);
  assert.deepEqual(await used(rig), { "requests.cpu": "13", "requests.example.com/gpu": "4" });
});

async function addQuota(rig: AdmissionRig, hard: JsonObject, used: JsonObject): Promise<void> {
  await rig.call("POST", quotas, { metadata: { name: "q" }, spec: { hard } });
  await rig.call("PATCH", `${quotas}/q/status`, { status: { hard, used } });
}

async function used(rig: AdmissionRig): Promise<JsonObject> {
  const { body } = await rig.call("GET", `${quotas}/q`);
  return asObject(asObject(body["status"])["used"]);
}
