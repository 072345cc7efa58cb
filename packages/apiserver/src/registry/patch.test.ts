import assert from "node:assert/strict";
import { test } from "node:test";
import type { PatchSchema } from "@kaji/core";
import { startTestServer, widgetKind, widgets } from "../testing/widgets.ts";

const color: PatchSchema = { name: "WidgetSpec", field: () => ({ type: "string" }) };
const patchSchema: PatchSchema = { name: "Widget", field: (name) => (name === "spec" ? { type: color } : undefined) };

test("[WRITE15] what a strategic patch says of the type is not looked at", async () => {
  const [version] = widgetKind().versions;
  assert.ok(version !== undefined);
  await using api = startTestServer({ kinds: [widgetKind({ schema: { ...version.schema, patchSchema } })] });
  await api.call("POST", widgets, { metadata: { name: "small" }, spec: { color: "red" } });
  const patch = (body: unknown, type: string): ReturnType<typeof api.call> =>
    api.call("PATCH", `${widgets}/small`, body, { "content-type": `application/${type}+json` });
  const blue = { apiVersion: "old.example.com/v1", kind: "Gadget", spec: { color: "blue" } };
  const { status, json } = await patch(blue, "strategic-merge-patch");
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(json, { apiVersion: "example.com/v1", kind: "Widget", spec: { color: "blue" } });
  assert.notEqual((await patch(blue, "merge-patch")).status, 200);
});

test("[WRITE1] a patch into another namespace is refused for that, not for its revision", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "small" } });
  const patch = { metadata: { namespace: "other", resourceVersion: "1" } };
  const { status, message } = await api.call("PATCH", `${widgets}/small`, patch, { "content-type": "application/merge-patch+json" });
  assert.deepEqual([status, message], [400, "the namespace of the provided object does not match the namespace sent on the request"]);
});
