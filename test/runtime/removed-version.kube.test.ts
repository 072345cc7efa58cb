import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyText } from "@kaji/core";
import type { JsonObject, JsonValue, Transport } from "@kaji/core";
import { eventually } from "@kaji/core/testing";
import { onBothServers } from "./on-both-servers.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = `${definitions}/things.example.com`;
const mergePatch = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";

test("[SSA27] what is owned in a version that is no more, or in another group, is in the way as on a real kube-apiserver", async () => {
  assert.deepEqual(await onBothServers(play), [
    { status: 500, message: "request to convert CR to an invalid group/version: example.com/v1" },
    { status: 200, owners: [] },
    { status: 200, owners: ["before-first-apply", "me"] },
    { status: 200, owners: [] },
  ]);
});

interface Told {
  readonly status: number;
  readonly message?: string | undefined;
  readonly owners?: readonly string[];
}

/** What is told of an object that was applied in a version that is gone then. */
async function play(send: Transport): Promise<readonly Told[]> {
  const prepare = async (method: Method, path: string, type: string, body: JsonValue): Promise<void> => {
    const { status, message } = await ask(send, method, path, type, body);
    assert.ok(status < 300, message);
  };
  await prepare("POST", definitions, "application/json", manifest);
  const statusOf = async (path: string): Promise<number> => (await send({ method: "GET", path, headers: {} })).status;
  await eventually("things are served", async () => (await statusOf(thingsIn("v2"))) === 200);
  await prepare("PATCH", applied("v1"), "application/apply-patch+yaml", thing("v1", { note: "x" }));
  await prepare("PATCH", definition, jsonPatch, [storageOf(0, false), storageOf(1, true)]);
  // Until the new storage version is in force a write stores in the old.
  const { resourceVersion } = await metadataOf(send, thingAt("v2"));
  await eventually("the thing is stored anew", async () => {
    await prepare("PATCH", thingAt("v2"), mergePatch, {});
    return (await metadataOf(send, thingAt("v2"))).resourceVersion !== resourceVersion;
  });
  await prepare("PATCH", `${definition}/status`, jsonPatch, [{ op: "replace", path: "/status/storedVersions", value: ["v2"] }]);
  await prepare("PATCH", definition, jsonPatch, [{ op: "remove", path: "/spec/versions/0" }]);
  const apply = (note: string, options = ""): Promise<Told> =>
    ask(send, "PATCH", `${applied("v2")}&force=true${options}`, "application/apply-patch+yaml", thing("v2", { note }));
  // It is out of discovery before it is out of what objects are converted with.
  await eventually("the version is gone", async () => (await apply("y", "&dryRun=All")).status === 500);
  const merge = (body: JsonObject): Promise<Told> => ask(send, "PATCH", thingAt("v2"), mergePatch, body);
  const given = { metadata: { managedFields: [elsewhere] } };
  return [await apply("y"), await merge({ spec: { note: "z" } }), await apply("y"), await merge(given)];
}

type Method = "POST" | "PATCH";

async function ask(send: Transport, method: Method, path: string, type: string, body: JsonValue): Promise<Told> {
  const response = await send({ method, path, headers: { "content-type": type }, body: Buffer.from(JSON.stringify(body)) });
  const { message, metadata }: Answer = JSON.parse(await bodyText(response.body));
  if (response.status >= 300) return { status: response.status, message };
  return { status: response.status, owners: (metadata.managedFields ?? []).map(({ manager }) => manager).toSorted() };
}

async function metadataOf(send: Transport, path: string): Promise<Answer["metadata"]> {
  const { body } = await send({ method: "GET", path, headers: {} });
  const { metadata }: Answer = JSON.parse(await bodyText(body));
  return metadata;
}

interface Answer {
  readonly message?: string;
  readonly metadata: { readonly resourceVersion?: string; readonly managedFields?: readonly { readonly manager: string }[] };
}

function thingsIn(version: string): string {
  return `/apis/example.com/${version}/things`;
}

function thingAt(version: string): string {
  return `${thingsIn(version)}/a`;
}

function applied(version: string): string {
  return `${thingAt(version)}?fieldManager=me`;
}

function thing(version: string, spec: JsonObject): JsonObject {
  return { apiVersion: `example.com/${version}`, kind: "Thing", metadata: { name: "a" }, spec };
}

function storageOf(index: number, value: boolean): JsonObject {
  return { op: "replace", path: `/spec/versions/${index}/storage`, value };
}

const elsewhere: JsonObject = {
  manager: "elsewhere",
  operation: "Update",
  apiVersion: "other.example.com/v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:spec": { "f:note": {} } },
};

const schema: JsonObject = {
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { note: { type: "string" } } } } },
};

const manifest: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "things", kind: "Thing" },
    versions: ["v1", "v2"].map((name) => ({ name, served: true, storage: name === "v1", schema })),
  },
};
