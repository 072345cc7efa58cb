import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonArray } from "@kaji/core";
import type { JsonObject, JsonValue, Transport } from "@kaji/core";
import { admissionWebhook, asObject, respond, reviewIn, startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const shirts = (version: string): string => `/apis/example.com/${version}/namespaces/default/shirts`;

test("[WH30] a list goes to the webhook in one call, and only what is not in its version", async () => {
  const calls: number[] = [];
  await using rig = await startRig((objects) => calls.push(objects.length));
  for (let index = 0; index < 50; index++) await rig.call("POST", shirts("v1"), shirt("v1", `s-${index}`));
  assert.deepEqual(calls, []);
  const { body } = await rig.call("GET", shirts("v2"));
  assert.deepEqual(calls, [50]);
  assert.equal(isJsonArray(body["items"]) && body["items"].every((item) => asObject(asObject(item)["spec"])["colour"] === "red"), true);
  await rig.call("GET", shirts("v1"));
  assert.deepEqual(calls, [50]);
});

test("[WH30] a list of large objects goes in several calls, each of 4 MiB at most", async () => {
  const colour = (name: string): string => name + "x".repeat(1.4 * 1024 * 1024);
  const calls: (JsonValue | undefined)[][] = [];
  await using rig = await startRig((objects) => calls.push(objects.map(({ metadata }) => asObject(metadata ?? null)["name"])));
  for (const name of ["a", "b", "c"]) {
    await rig.call("POST", shirts("v1"), { ...shirt("v1", name), spec: { color: colour(name) } });
  }
  const { body } = await rig.call("GET", shirts("v2"));
  assert.deepEqual(calls, [["a", "b"], ["c"]]);
  const items = isJsonArray(body["items"]) ? body["items"] : [];
  assert.deepEqual(
    items.map((item) => asObject(asObject(item)["spec"])["colour"]),
    ["a", "b", "c"].map(colour),
  );
});

test("[WH31] a write in another version is converted on its way in, and its answer on the way out", async () => {
  const desired: string[] = [];
  await using rig = await startRig((_objects, version) => desired.push(version));
  const created = await rig.call("POST", shirts("v2"), shirt("v2", "a"));
  assert.deepEqual([created.status, desired], [201, ["example.com/v1", "example.com/v2"]]);
  const kept = Buffer.from(rig.server.registry.storage.get("/registry/example.com/shirts/default/a")?.bytes ?? []).toString();
  assert.match(kept, /"apiVersion":"example.com\/v1".*"spec":\{"color":"red"\}/);
});

test("[WH31] what one manager applied in two versions is compared without asking the webhook about nothing", async () => {
  const sent: JsonObject[] = [];
  await using rig = await startRig((objects) => sent.push(...objects));
  const applied = async (of: string, metadata: JsonObject): Promise<unknown> => {
    const object = shirt(of, "a");
    const body = Buffer.from(JSON.stringify({ ...object, metadata: { name: "a", ...metadata } }));
    const path = `${shirts(of)}/a?fieldManager=me&force=true`;
    const { status } = await rig.server.transport()({
      method: "PATCH",
      path,
      headers: { "content-type": "application/apply-patch+yaml" },
      body,
    });
    return status;
  };
  assert.equal(await applied("v2", { labels: { a: "b" } }), 201);
  assert.equal(await applied("v1", { annotations: { c: "d" } }), 200);
  assert.deepEqual(
    sent.filter((object) => Object.keys(object).length === 2),
    [],
  );
});

test("[WH32] the watchers of a version share one conversion of each event, and see them in order", async () => {
  const calls: number[] = [];
  await using rig = await startRig((objects) => calls.push(objects.length));
  const watches = await Promise.all([1, 2, 3].map(() => watchShirts(rig)));
  for (const name of ["a", "b", "c"]) await rig.call("POST", shirts("v1"), shirt("v1", name));
  const seen = await Promise.all(watches.map((watch) => firstNames(watch, 3)));
  assert.deepEqual(seen, [
    ["a", "b", "c"],
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
  assert.deepEqual(calls, [1, 1, 1]);
});

test("[WH14] a webhook whose rule names another version sees the object in that version, and changes it there", async () => {
  const seen: JsonValue[] = [];
  const webhook = admissionWebhook((request) => {
    seen.push([request["kind"], request["requestKind"], asObject(request["object"])["spec"]].map((part) => part ?? null));
    const patch = Buffer.from('[{"op":"replace","path":"/spec/colour","value":"blue"}]').toString("base64");
    return { allowed: true, patchType: "JSONPatch", patch };
  });
  await using rig = await startRig(() => {}, webhook);
  await rig.call("POST", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", {
    metadata: { name: "painter" },
    webhooks: [
      {
        name: "painter.example.com",
        clientConfig: { url: "https://localhost:9444" },
        rules: [{ operations: ["CREATE"], apiGroups: ["example.com"], apiVersions: ["v2"], resources: ["shirts"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
      },
    ],
  });
  const { body } = await rig.call("POST", shirts("v1"), shirt("v1", "a"));
  const type = (version: string): JsonObject => ({ group: "example.com", version, kind: "Shirt" });
  assert.deepEqual(seen, [[type("v2"), type("v1"), { colour: "red" }]]);
  assert.deepEqual([body["apiVersion"], body["spec"]], ["example.com/v1", { color: "blue" }]);
});

test("[WH33] a definition that is deleted takes its objects with it though no webhook converts them any more", async () => {
  let isBroken = false;
  await using rig = await startRig(() => {
    if (isBroken) throw new Error("gone");
  });
  await rig.call("POST", shirts("v1"), shirt("v1", "a"));
  isBroken = true;
  assert.equal((await rig.call("GET", `${shirts("v2")}/a`)).status, 500);
  await rig.call("DELETE", `${definitions}/shirts.example.com`);
  for (let tries = 0; tries < 50 && rig.server.kinds.get("example.com", "shirts") !== undefined; tries++) await rig.clock.advance(1000);
  assert.equal((await rig.call("GET", `${definitions}/shirts.example.com`)).status, 404);
});

test("[CRD56] the default of a status needs no webhook in the version that objects are kept in", async () => {
  const desired: string[] = [];
  await using rig = await startRig((_objects, version) => desired.push(version));
  const spec = asObject(definition["spec"]);
  const status = { type: "object", default: { phase: "New" }, properties: { phase: { type: "string" } } };
  const withStatus = { subresources: { status: {} }, schema: { openAPIV3Schema: { type: "object", properties: { status } } } };
  const versions = [{ ...version("v1", "size", true), ...withStatus }, version("v2", "size", false)];
  await rig.call("POST", definitions, {
    metadata: { name: "hats.example.com" },
    spec: { ...spec, names: { plural: "hats", kind: "Hat" }, versions },
  });
  const hats = shirts("v1").replace("shirts", "hats");
  const created = (await rig.call("POST", hats, { ...shirt("v1", "a"), kind: "Hat" })).body;
  const patch = async (): Promise<JsonObject> => (await rig.call("PATCH", `${hats}/a`, {})).body;
  const [first, second] = [await patch(), await patch()];
  assert.deepEqual(
    [created, first].map((body) => body["status"]),
    [{ phase: "New" }, { phase: "New" }],
  );
  assert.notDeepEqual(first, created);
  assert.deepEqual(second, first);
  assert.deepEqual(desired, []);
});

type Observe = (objects: readonly JsonObject[], desired: string) => void;

async function startRig(observe: Observe, admission?: Transport): Promise<AdmissionRig> {
  const convert: Transport = async ({ body }) => {
    const { kind = "", apiVersion = "", request } = reviewIn(body);
    const { uid = "", desiredAPIVersion, objects } = asObject(request);
    const given = isJsonArray(objects) ? objects.map(asObject) : [];
    const desired = typeof desiredAPIVersion === "string" ? desiredAPIVersion : "";
    observe(given, desired);
    const convertedObjects = given.map((object): JsonValue => {
      const { color, colour } = asObject(object["spec"]);
      const spec = { [desired.endsWith("v1") ? "color" : "colour"]: color ?? colour ?? null };
      return { ...object, apiVersion: desired, spec };
    });
    return respond({ kind, apiVersion, response: { uid, result: { status: "Success" }, convertedObjects } });
  };
  const inProcess = new Map([["https://localhost:9443", convert]]);
  if (admission !== undefined) inProcess.set("https://localhost:9444", admission);
  const rig = await startAdmissionRig({ webhooks: { inProcess } });
  await rig.call("POST", definitions, definition);
  await rig.clock.advance(0);
  return rig;
}

function version(name: string, field: string, storage: boolean): JsonObject {
  const spec = { type: "object", properties: { [field]: { type: "string" } } };
  return { name, served: true, storage, schema: { openAPIV3Schema: { type: "object", properties: { spec } } } };
}

const definition: JsonObject = {
  metadata: { name: "shirts.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "shirts", kind: "Shirt" },
    versions: [version("v1", "color", true), version("v2", "colour", false)],
    conversion: {
      strategy: "Webhook",
      webhook: { clientConfig: { url: "https://localhost:9443/convert" }, conversionReviewVersions: ["v1"] },
    },
  },
};

function shirt(of: string, name: string): JsonObject {
  return { apiVersion: `example.com/${of}`, kind: "Shirt", metadata: { name }, spec: { [of === "v1" ? "color" : "colour"]: "red" } };
}

async function watchShirts(rig: AdmissionRig): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await rig.server.transport()({ method: "GET", path: `${shirts("v2")}?watch=true`, headers: {} });
  return body;
}

async function firstNames(watch: AsyncIterable<Uint8Array>, count: number): Promise<readonly string[]> {
  let text = "";
  for await (const piece of watch) {
    text += Buffer.from(piece).toString();
    if (text.split("\n").length > count) break;
  }
  return [...text.matchAll(/"name":"([abc])"/g)].map(([, name = ""]) => name);
}
