import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import fc from "fast-check";
import { asObject, startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const ranges = "/api/v1/namespaces/default/limitranges";
const pods = "/api/v1/namespaces/default/pods";
const defaults = { limits: { cpu: "2", memory: "64Mi" }, requests: { cpu: "1", memory: "32Mi" } } as const;

const amounts = fc.record({ cpu: fc.constantFrom("1", "1500m"), memory: fc.constantFrom("32Mi", "48Mi") }, { requiredKeys: [] });

test("[ADM5] containers get what they do not ask for, and keep what they do", async () => {
  await using rig = await startAdmissionRig();
  await addRange(rig, { type: "Container", default: defaults.limits, defaultRequest: defaults.requests });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(amounts, fc.boolean(), async (requests, isInit) => {
      const container = { name: "given", image: "a", resources: { requests } };
      const other = { name: "other", image: "a" };
      const spec = isInit ? { initContainers: [container], containers: [other] } : { containers: [container, other] };
      const { body } = await rig.call("POST", pods, { metadata: { name: `p-${count++}` }, spec });
      const shown = asObject(body["spec"]);
      const containers = [shown["initContainers"] ?? [], shown["containers"] ?? []].flat().map((each) => asObject(each));
      const resourcesOf = (name: string): unknown => containers.find((each) => each["name"] === name)?.["resources"];
      assert.deepEqual(resourcesOf("given"), { limits: defaults.limits, requests: { ...defaults.requests, ...requests } });
      assert.deepEqual(resourcesOf("other"), defaults);
    }),
    { numRuns: 30 },
  );
});

test("[ADM5] a pod that is limited as a whole asks for what its containers got, too", async () => {
  await using rig = await startAdmissionRig();
  await addRange(rig, { type: "Container", default: defaults.limits, defaultRequest: defaults.requests });
  const container = (name: string): JsonObject => ({ name, image: "a" });
  const spec = { resources: { limits: { cpu: "3" } }, containers: [container("a"), container("b")] };
  const { body } = await rig.call("POST", pods, { metadata: { name: "whole" }, spec });
  // Of what it limits itself it has asked before.
  const asked = { requests: { cpu: "3", memory: "64Mi" }, limits: { cpu: "3" } };
  assert.deepEqual(asObject(body["spec"])["resources"], asked);
});

test("[ADM6] what a pod is resized to has to be within limits, too", async () => {
  await using rig = await startAdmissionRig();
  await addRange(rig, { type: "Container", max: { cpu: "1" } });
  const resources = { requests: { cpu: "500m" }, limits: { cpu: "1" } };
  await rig.call("POST", pods, { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a", resources }] } });
  const resized = { spec: { containers: [{ name: "a", image: "a", resources: { requests: { cpu: "500m" }, limits: { cpu: "3" } } }] } };
  const { status, body } = await rig.call("PATCH", `${pods}/a/resize`, resized);
  const why = "maximum cpu usage per Container is 1, but limit is 3";
  assert.deepEqual([status, body["message"]], [403, `pods "a" is forbidden: ${why}`]);
});

async function addRange(rig: AdmissionRig, limit: JsonObject): Promise<void> {
  await rig.call("POST", ranges, { metadata: { name: "r" }, spec: { limits: [limit] } });
}
