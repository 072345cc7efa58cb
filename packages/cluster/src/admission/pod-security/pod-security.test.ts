import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { stringifyJson } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { Namespace, Pod } from "@kaji/types/core/v1";
import { startCluster } from "../../start-cluster.ts";
import { startAdmissionRig } from "../../testing/admission-rig.ts";
import type { AdmissionRig } from "../../testing/admission-rig.ts";

const namespace = "/api/v1/namespaces/default";
const pods = `${namespace}/pods`;
const plain = { containers: [{ name: "c", image: "a" }] };
const shared = { ...plain, hostPID: true };
const sharing = 'PodSecurity "baseline:latest": host namespaces (hostPID=true)';

function label(rig: AdmissionRig, modes: Readonly<Record<string, string>>): ReturnType<AdmissionRig["call"]> {
  const labels = Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]));
  return rig.call("PATCH", namespace, { metadata: { labels } });
}

test("[ADM30] a namespace refuses new pods that do not meet what it enforces; without labels it refuses none", async () => {
  await using rig = await startAdmissionRig();
  const everything = { ...shared, containers: [{ name: "c", image: "a", securityContext: { privileged: true } }] };
  const free = await rig.call("POST", pods, { metadata: { name: "free" }, spec: everything });
  assert.deepEqual([free.status, free.warnings], [201, []]);
  await label(rig, { enforce: "baseline" });
  const refused = await rig.call("POST", pods, { metadata: { name: "a" }, spec: shared });
  assert.deepEqual([refused.status, refused.body["message"]], [403, `pods "a" is forbidden: violates ${sharing}`]);
  assert.equal((await rig.call("POST", pods, { metadata: { name: "a" }, spec: plain })).status, 201);
});

test("[ADM30] pods of before may change, but not what runs in them", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", pods, { metadata: { name: "old" }, spec: shared });
  await label(rig, { enforce: "baseline" });
  const change = async (body: JsonObject, subresource = ""): Promise<number> =>
    (await rig.call("PATCH", `${pods}/old${subresource}`, body)).status;
  assert.equal(await change({ metadata: { labels: { a: "b" }, finalizers: ["example.com/x"] } }), 200);
  assert.equal(await change({ status: { phase: "Running" } }, "/status"), 200);
  assert.equal(await change({ spec: { containers: [{ name: "c", image: "b" }] } }), 403);
  assert.equal(await change({ spec: { ephemeralContainers: [{ name: "d", image: "a" }] } }, "/ephemeralcontainers"), 403);
});

test("[ADM30] a pod that outlives its namespace is not changed any more", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", "/api/v1/namespaces", { metadata: { name: "gone" } });
  await rig.call("POST", "/api/v1/namespaces/gone/pods", { metadata: { name: "left" }, spec: plain });
  await rig.call("DELETE", "/api/v1/namespaces/gone");
  await rig.call("PUT", "/api/v1/namespaces/gone/finalize", { metadata: { name: "gone" }, spec: { finalizers: [] } });
  const { status, body } = await rig.call("PATCH", "/api/v1/namespaces/gone/pods/left", { metadata: { labels: { a: "b" } } });
  assert.deepEqual([status, body["message"]], [500, 'Internal error occurred: failed to lookup namespace "gone"']);
});

test("[ADM32] templates are let in with a warning, and only what is warned of is said of them", async () => {
  await using rig = await startAdmissionRig();
  await label(rig, { enforce: "baseline" });
  const create = (): ReturnType<AdmissionRig["call"]> =>
    rig.call("POST", `${namespace}/podtemplates?dryRun=All`, { metadata: { name: "a" }, template: { spec: shared } });
  const warned = await create();
  assert.deepEqual([warned.status, warned.warnings], [201, [`299 - "would violate ${sharing.replaceAll('"', '\\"')}"`]]);
  await label(rig, { warn: "privileged" });
  assert.deepEqual((await create()).warnings, []);
});

test("[ADM33] labels that are not understood are refused, unless they are as they were", async () => {
  const clock = new ManualClock();
  const storage = createMemoryStorage({ clock });
  await using rig = await startAdmissionRig({ clock, storage });
  assert.equal((await label(rig, { enforce: "strict" })).status, 422);
  const labels = { "pod-security.kubernetes.io/enforce": "strict" };
  const old = { apiVersion: "v1", kind: "Namespace", metadata: { name: "old", uid: "u", labels }, spec: {}, status: { phase: "Active" } };
  await storage.put("/registry/namespaces/old", 0, () => Buffer.from(stringifyJson(old)));
  const change = async (changed: JsonObject): Promise<number> =>
    (await rig.call("PATCH", "/api/v1/namespaces/old", { metadata: { labels: changed } })).status;
  assert.equal(await change({ other: "x" }), 200);
  assert.equal(await change({ "pod-security.kubernetes.io/enforce": "stricter" }), 422);
  const { body } = await rig.call("POST", "/api/v1/namespaces/old/pods", { metadata: { name: "a" }, spec: plain });
  assert.match(stringifyJson(body), /violates PodSecurity \\"restricted:latest\\": /);
  const why =
    'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted';
  assert.equal(rig.records.at(-1)?.annotations.get("pod-security.kubernetes.io/error"), `Failed to parse policy: ${why}`);
});

test("[ADM34] a namespace that asks for more says which of its pods do not do it", async () => {
  await using rig = await startAdmissionRig();
  for (const name of ["b", "a"]) await rig.call("POST", pods, { metadata: { name }, spec: shared });
  const { status, warnings } = await label(rig, { enforce: "baseline" });
  assert.equal(status, 200);
  assert.deepEqual(warnings, [
    String.raw`299 - "existing pods in namespace \"default\" violate the new PodSecurity enforce level \"baseline:latest\""`,
    '299 - "a (and 1 other pod): host namespaces"',
  ]);
  assert.deepEqual((await label(rig, { enforce: "privileged" })).warnings, []);
});

test("[ADM35] audits are told what was enforced, and what does not meet the standard for them", async () => {
  await using rig = await startAdmissionRig();
  const noted = async (): Promise<unknown> => {
    await rig.call("POST", `${pods}?dryRun=All`, { metadata: { name: "a" }, spec: shared });
    return Object.fromEntries(rig.records.at(-1)?.annotations ?? []);
  };
  assert.deepEqual(await noted(), { "pod-security.kubernetes.io/enforce-policy": "privileged:latest" });
  await label(rig, { audit: "baseline", "enforce-version": "v1.30" });
  assert.deepEqual(await noted(), {
    "pod-security.kubernetes.io/audit-violations": `would violate ${sharing}`,
    "pod-security.kubernetes.io/enforce-policy": "privileged:v1.30",
  });
});

test("[ADM30] a Deployment whose pods are refused says so, as in a real cluster", async () => {
  await using cluster = await startCluster({ clock: new ManualClock(), nodes: 1 });
  const { client } = cluster;
  await client.create(Namespace, { metadata: { name: "guarded", labels: { "pod-security.kubernetes.io/enforce": "restricted" } } });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  await client.create(Deployment, {
    metadata: { namespace: "guarded", name: "web" },
    spec: { selector: { matchLabels: labels }, template },
  });
  await cluster.settled();
  const { status } = await client.get(Deployment, { namespace: "guarded", name: "web" });
  const failure = status?.conditions?.find(({ type }) => type === "ReplicaFailure");
  assert.equal(failure?.reason, "FailedCreate");
  assert.match(failure?.message ?? "", /^pods "web-[a-z0-9]+-[a-z0-9]+" is forbidden: violates PodSecurity "restricted:latest": /);
  assert.deepEqual((await client.list(Pod, { namespace: "guarded" })).items, []);
});
