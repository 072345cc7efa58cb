import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdmissionPlugin } from "../admission.ts";
import { startTestServer, widgets } from "../testing/widgets.ts";
import type { TestServer } from "../testing/widgets.ts";

const small = `${widgets}/small`;
const apply = { "content-type": "application/apply-patch+yaml" };
const applied = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "small" }, spec: { size: 2 } };

/** A server on which something happens to the widget while it is applied for the first time. */
function interruptedServer(interrupt: (api: TestServer) => Promise<unknown>): TestServer {
  let isInterrupted = false;
  const admission: AdmissionPlugin = {
    name: "interruption",
    async validate({ object, context }) {
      if (isInterrupted || context.headers["content-type"] !== apply["content-type"] || object === undefined) return;
      isInterrupted = true;
      await interrupt(api);
    },
  };
  const api = startTestServer({ admission: [admission] });
  return api;
}

test("[SSA34] an object that is deleted while it is applied is made anew", async () => {
  await using api = interruptedServer((api) => api.call("DELETE", small));
  const { uid } = Object((await api.call("POST", widgets, { metadata: { name: "small" }, spec: { size: 1 } })).json["metadata"]);
  const { status, json } = await api.call("PATCH", `${small}?fieldManager=me&force=true`, applied, apply);
  assert.equal(status, 201);
  assert.deepEqual([json["spec"], Object(json["metadata"]).uid === uid], [{ size: 2 }, false]);
});

test("[SSA34] an object that another makes while it is applied is applied to", async () => {
  await using api = interruptedServer((api) => api.call("POST", widgets, { metadata: { name: "small", labels: { by: "other" } } }));
  const { status, json } = await api.call("PATCH", `${small}?fieldManager=me&force=true`, applied, apply);
  assert.equal(status, 200);
  assert.deepEqual([json["spec"], Object(json["metadata"]).labels], [{ size: 2 }, { by: "other" }]);
});

test("[SSA34] the status of an object that is deleted meanwhile is not found", async () => {
  await using api = interruptedServer((api) => api.call("DELETE", small));
  await api.call("POST", widgets, { metadata: { name: "small" }, spec: { size: 1 } });
  const { status } = await api.call("PATCH", `${small}/status?fieldManager=me`, { ...applied, status: { ready: true } }, apply);
  assert.equal(status, 404);
});

test("[SSA41] an empty namespace is none, and another one is refused after conflicts", async () => {
  await using api = startTestServer();
  const inNamespace = (namespace: string): unknown => ({ ...applied, metadata: { name: "small", namespace } });
  const created = await api.call("PATCH", `${small}?fieldManager=me`, inNamespace(""), apply);
  assert.deepEqual([created.status, Object(created.json["metadata"]).namespace], [201, "default"]);
  const again = await api.call("PATCH", `${small}?fieldManager=me`, inNamespace(""), apply);
  assert.deepEqual(again.json, created.json);
  assert.match(
    (await api.call("PATCH", `${small}?fieldManager=me`, inNamespace("other"), apply)).message,
    /^the namespace of the provided object does not match/,
  );
  const disputed = { ...applied, metadata: { name: "small", namespace: "other" }, spec: { size: 3 } };
  assert.match((await api.call("PATCH", `${small}?fieldManager=you`, disputed, apply)).message, /^Apply failed with 1 conflict/);
  const stale = { ...applied, metadata: { name: "small", namespace: "other", resourceVersion: "1" } };
  assert.match((await api.call("PATCH", `${small}?fieldManager=me`, stale, apply)).message, /^the namespace of the provided object/);
});
