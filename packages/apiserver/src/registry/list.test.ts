import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { startTestServer, widgets } from "../testing/widgets.ts";
import type { TestServer } from "../testing/widgets.ts";

async function withWidgets(count: number): Promise<TestServer> {
  const api = startTestServer();
  for (let index = 0; index < count; index++) {
    await api.call("POST", widgets, {
      metadata: { name: `w${index}`, labels: { odd: String(index % 2) } },
      spec: { color: index < 2 ? "red" : "blue" },
    });
  }
  return api;
}

const names = (json: JsonObject): readonly string[] =>
  Object(json["items"]).map((item: { metadata: { name: string } }) => item.metadata.name);
const meta = (json: JsonObject): { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number } =>
  Object(json["metadata"]);

test("[LIST1] all pages of a list are of the revision of the first", async () => {
  await using api = await withWidgets(5);
  const first = (await api.call("GET", `${widgets}?limit=2`)).json;
  assert.deepEqual([names(first), meta(first).remainingItemCount], [["w0", "w1"], 3]);
  await api.call("DELETE", `${widgets}/w2`);
  await api.call("POST", widgets, { metadata: { name: "w1a" } });
  const second = (await api.call("GET", `${widgets}?limit=2&continue=${meta(first).continue}`)).json;
  const third = (await api.call("GET", `${widgets}?limit=2&continue=${meta(second).continue}`)).json;
  assert.deepEqual([...names(second), ...names(third)], ["w2", "w3", "w4"]);
  assert.deepEqual([meta(second).resourceVersion, meta(third).continue], [meta(first).resourceVersion, ""]);
});

test("[LIST2] a page with a selector has as many objects as asked for, if there are", async () => {
  await using api = await withWidgets(6);
  const page = (await api.call("GET", `${widgets}?limit=2&labelSelector=odd%3D1`)).json;
  assert.deepEqual([names(page), meta(page).remainingItemCount], [["w1", "w3"], undefined]);
  assert.deepEqual(names((await api.call("GET", `${widgets}?limit=2&labelSelector=odd%3D1&continue=${meta(page).continue}`)).json), ["w5"]);
});

test("[LIST3] fields can be selected that the kind says so of, and no others", async () => {
  await using api = await withWidgets(3);
  assert.deepEqual(names((await api.call("GET", `${widgets}?fieldSelector=spec.color%3Dblue`)).json), ["w2"]);
  assert.deepEqual(names((await api.call("GET", `${widgets}?fieldSelector=metadata.name%3Dw1`)).json), ["w1"]);
  assert.deepEqual(names((await api.call("GET", "/apis/example.com/v1/widgets?fieldSelector=metadata.name%3Dw1")).json), ["w1"]);
  const refused = await api.call("GET", `${widgets}?fieldSelector=spec.nope%3Dx`);
  assert.deepEqual([refused.status, refused.json["message"]], [400, "field label not supported: spec.nope"]);
});

test("[LIST4] an exact revision is listed as it was, and expired once it is compacted", async () => {
  await using api = await withWidgets(3);
  const { resourceVersion } = meta((await api.call("GET", widgets)).json);
  await api.call("DELETE", `${widgets}/w0`);
  const exact = `${widgets}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
  assert.deepEqual(names((await api.call("GET", exact)).json), ["w0", "w1", "w2"]);
  const page = meta((await api.call("GET", `${widgets}?limit=1`)).json);
  await api.call("POST", widgets, { metadata: { name: "w9" } });
  api.server.registry.storage.compact(api.server.registry.storage.currentRevision);
  const expired = await api.call("GET", exact);
  assert.deepEqual([expired.status, expired.json["reason"]], [410, "Expired"]);
  const goOn = await api.call("GET", `${widgets}?limit=1&continue=${page.continue}`);
  assert.equal(goOn.status, 410);
  const rest = await api.call("GET", `${widgets}?continue=${meta(goOn.json).continue}`);
  assert.deepEqual(names(rest.json), ["w2", "w9"]);
});

test("[LIST5] a revision that has not been is waited for, and then refused with the time to retry", async () => {
  await using api = await withWidgets(1);
  const waiting = api.call("GET", `${widgets}?resourceVersion=1000&resourceVersionMatch=NotOlderThan`);
  await api.clock.advance(3000);
  const { status, json, headers } = await waiting;
  assert.deepEqual([status, json["reason"], headers["retry-after"]], [504, "Timeout", "1"]);
});

test("[LIST6] options that contradict each other are refused", async () => {
  await using api = await withWidgets(0);
  for (const query of [
    "resourceVersionMatch=Exact",
    "resourceVersion=0&resourceVersionMatch=Exact",
    "resourceVersion=1&resourceVersionMatch=Foo",
    "sendInitialEvents=true",
  ]) {
    assert.equal((await api.call("GET", `${widgets}?${query}`)).status, 422, query);
  }
  for (const query of ["limit=abc", "continue=abc", "resourceVersion=abc", "labelSelector=a%20b"]) {
    assert.equal((await api.call("GET", `${widgets}?${query}`)).status, 400, query);
  }
});

test("[LIST7] a list comes as a table, as metadata, or as it is", async () => {
  await using api = await withWidgets(1);
  const as = async (type: string): Promise<JsonObject> =>
    (await api.call("GET", widgets, undefined, { accept: `application/json;as=${type};v=v1;g=meta.k8s.io` })).json;
  assert.partialDeepStrictEqual(await as("Table"), { kind: "Table", rows: [{ cells: ["w0"], object: { kind: "PartialObjectMetadata" } }] });
  assert.partialDeepStrictEqual(await as("PartialObjectMetadataList"), {
    kind: "PartialObjectMetadataList",
    items: [{ kind: "PartialObjectMetadata", metadata: { name: "w0" } }],
  });
  assert.partialDeepStrictEqual((await api.call("GET", widgets)).json, {
    kind: "WidgetList",
    items: [{ kind: "Widget", metadata: { name: "w0" } }],
  });
  assert.equal(
    (await api.call("GET", widgets, undefined, { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" })).status,
    406,
  );
});
