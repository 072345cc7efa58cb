import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "../testing/widgets.ts";
import type { TestServer } from "../testing/widgets.ts";
import { byPreference } from "./api-resources.ts";
import { discoveryPaths } from "./discovery-paths.ts";
import { indexPaths } from "./index-paths.ts";
import { noRemoteVersions } from "./remote-versions.ts";

function startWithDiscovery(): TestServer {
  const api = startTestServer();
  api.server.addPaths(discoveryPaths(api.server.kinds));
  return api;
}

test("[DISC1] groups, versions and kinds are listed, subresources beside their kind", async () => {
  await using api = startWithDiscovery();
  assert.partialDeepStrictEqual((await api.call("GET", "/apis")).json, {
    kind: "APIGroupList",
    groups: [{ name: "example.com", preferredVersion: { groupVersion: "example.com/v1", version: "v1" } }],
  });
  const { json } = await api.call("GET", "/apis/example.com/v1");
  assert.partialDeepStrictEqual(json, { kind: "APIResourceList", groupVersion: "example.com/v1" });
  assert.deepEqual(
    Object(json["resources"]).map(({ name, kind }: { name: string; kind: string }) => `${name} ${kind}`),
    ["widgets Widget", "widgets/status Widget", "widgets/scale Scale"],
  );
});

test("[DISC2] one document has it all, and is not sent again to whoever has it", async () => {
  await using api = startWithDiscovery();
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const first = await api.call("GET", "/apis", undefined, { accept });
  assert.partialDeepStrictEqual(first.json, { kind: "APIGroupDiscoveryList", items: [{ metadata: { name: "example.com" } }] });
  const etag = String(first.headers["etag"]);
  assert.equal((await api.call("GET", "/apis", undefined, { accept, "if-none-match": etag })).status, 304);
  api.server.kinds.delete({ group: "example.com", plural: "widgets" });
  assert.equal((await api.call("GET", "/apis", undefined, { accept, "if-none-match": etag })).status, 200);
});

test("[DISC3] below a group of custom kinds, as below an unknown one, what is not known is a plain page", async () => {
  await using api = startWithDiscovery();
  for (const path of [
    "/apis/example.com/v2",
    "/apis/example.com/v1/things",
    "/apis/nobody",
    "/apis/nobody/v1",
    "/apis/nobody/v1/things",
    "/apis/nobody/v1/namespaces/a/things",
  ]) {
    const { status, text } = await api.call("GET", path);
    assert.deepEqual([status, text], [404, "404 page not found\n"], path);
  }
});

test("[DISC3] a custom kind in namespaces is not there outside of them, but for reading all of it", async () => {
  await using api = startWithDiscovery();
  for (const [method, path] of [
    ["DELETE", "/apis/example.com/v1/widgets"],
    ["POST", "/apis/example.com/v1/widgets"],
    ["PUT", "/apis/example.com/v1/widgets"],
    ["PATCH", "/apis/example.com/v1/widgets"],
    ["GET", "/apis/example.com/v1/widgets/one"],
    ["DELETE", "/apis/example.com/v1/widgets/one"],
    ["GET", "/apis/example.com/v1/widgets/one/nothing"],
  ] as const) {
    const { status, text } = await api.call(method, path);
    assert.deepEqual([status, text], [404, "404 page not found\n"], `${method} ${path}`);
  }
  assert.equal((await api.call("GET", "/apis/example.com/v1/widgets")).status, 200);
});

test("[DISC3] what is not known is not there in any form", async () => {
  await using api = startWithDiscovery();
  const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
  for (const path of ["/apis/example.com/v2", "/apis/example.com/v1/things/one"]) {
    assert.equal((await api.call("GET", path, undefined, { accept })).status, 404, path);
  }
  assert.equal((await api.call("PUT", "/apis/example.com/v2")).status, 404);
  assert.equal((await api.call("PUT", "/apis/example.com/v1")).status, 405);
});

test("[DISC4] stable versions come first, newer ones before older ones", () => {
  const versions = ["foo", "v1alpha1", "v2beta1", "v10", "v1", "v2", "v2beta3", "bar"];
  assert.deepEqual(versions.toSorted(byPreference), ["v10", "v2", "v1", "v2beta3", "v2beta1", "v1alpha1", "bar", "foo"]);
});

test("[DISC6] at the root is a list of what answers by itself, with the groups that are served then", async () => {
  await using api = startWithDiscovery();
  const { server } = api;
  server.addPaths(indexPaths(server.kinds, noRemoteVersions, () => server.paths));
  const groups = ["/apis/example.com", "/apis/example.com/v1"];
  for (const path of ["/", "/index.html"]) {
    assert.deepEqual((await api.call("GET", path)).json, { paths: ["/api", "/api/v1", "/apis", "/apis/", ...groups] });
  }
  server.kinds.delete({ group: "example.com", plural: "widgets" });
  assert.deepEqual((await api.call("GET", "/")).json, { paths: ["/api", "/api/v1", "/apis", "/apis/"] });
  assert.equal((await api.call("GET", "/none")).status, 404);
});
