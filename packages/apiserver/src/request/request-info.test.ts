import assert from "node:assert/strict";
import { test } from "node:test";
import type { TransportRequest } from "@kaji/core";
import { isTrue, requestInfo } from "@kaji/core/serving";

function read(method: TransportRequest["method"], target: string): Readonly<Record<string, unknown>> {
  const [path = "", search = ""] = target.split("?");
  return { ...requestInfo(method, path, new URLSearchParams(search)) };
}

test("[REQ1] method and path give verb, kind, namespace, name and subresource", () => {
  const pods = { type: "Resource", group: "", version: "v1", resource: "pods", namespace: "a", name: undefined, subresource: undefined };
  const cases: readonly (readonly [TransportRequest["method"], string, Readonly<Record<string, unknown>>])[] = [
    ["GET", "/api/v1/namespaces/a/pods", { ...pods, verb: "list" }],
    ["GET", "/api/v1/pods", { ...pods, namespace: undefined, verb: "list" }],
    ["POST", "/api/v1/namespaces/a/pods", { ...pods, verb: "create" }],
    ["DELETE", "/api/v1/namespaces/a/pods", { ...pods, verb: "deletecollection" }],
    ["GET", "/api/v1/namespaces/a/pods?watch=1", { ...pods, verb: "watch" }],
    ["GET", "/api/v1/namespaces/a/pods?watch=false", { ...pods, verb: "list" }],
    ["GET", "/api/v1/watch/namespaces/a/pods", { ...pods, verb: "watch" }],
    ["GET", "/api/v1/namespaces/a/pods/b", { ...pods, name: "b", verb: "get" }],
    ["PUT", "/api/v1/namespaces/a/pods/b/status", { ...pods, name: "b", subresource: "status", verb: "update" }],
    ["PATCH", "/apis/apps/v1/namespaces/a/deployments/b", { ...pods, group: "apps", resource: "deployments", name: "b", verb: "patch" }],
    ["DELETE", "/api/v1/nodes/n", { ...pods, namespace: undefined, resource: "nodes", name: "n", verb: "delete" }],
  ];
  for (const [method, path, expected] of cases) {
    const { path: _path, ...found } = read(method, path);
    assert.deepEqual(found, expected, `${method} ${path}`);
  }
});

test("[REQ2] a namespace is in itself, and its subresources are its own", () => {
  assert.partialDeepStrictEqual(read("GET", "/api/v1/namespaces/a"), { resource: "namespaces", namespace: "a", name: "a" });
  assert.partialDeepStrictEqual(read("PUT", "/api/v1/namespaces/a/finalize"), {
    resource: "namespaces",
    name: "a",
    subresource: "finalize",
  });
});

test("[REQ3] everything else is a path", () => {
  for (const path of [
    "/",
    "/healthz",
    "/api",
    "/apis",
    "/apis/apps",
    "/apis/apps/v1",
    "/api/v1",
    "/openapi/v3",
    "/api/v1/namespaces/%zz/pods",
  ]) {
    assert.deepEqual(read("GET", path), { type: "Path", verb: "get", path });
  }
});

test("[REQ5] a row of slashes as long as a request may be takes no longer to read than any other path", () => {
  const { type, path } = read("GET", `/x${"/".repeat(1_000_000)}x`);
  assert.deepEqual([type, String(path).length], ["Path", 1_000_003]);
});

test("[REQ5] an encoded slash is a slash, and slashes at the ends do not count", () => {
  const secrets = { type: "Resource", resource: "secrets", namespace: "a", name: undefined, verb: "list" };
  for (const path of [
    "/api/v1/namespaces/a%2Fsecrets",
    "/%61pi/v1/namespaces/a/secrets",
    "/api/v1/namespaces/a/secrets//",
    "//api/v1/namespaces/a/secrets",
  ]) {
    assert.partialDeepStrictEqual(read("GET", path), secrets, path);
  }
});

test("[REQ5] two slashes in a row are an empty segment", () => {
  assert.partialDeepStrictEqual(read("GET", "/api/v1/namespaces//a/secrets"), { resource: "a", name: "secrets", namespace: undefined });
  assert.partialDeepStrictEqual(read("GET", "/api/v1/namespaces/a/secrets//b"), {
    resource: "secrets",
    name: undefined,
    subresource: "b",
    verb: "list",
  });
});

test("[REQ1] what follows a subresource is not part of it", () => {
  assert.partialDeepStrictEqual(read("GET", "/api/v1/namespaces/a/pods/b/proxy/c/d"), { name: "b", subresource: "proxy", subpath: "c/d" });
});

test("[REQ1] the old watch path is a watch, whatever the method", () => {
  for (const method of ["GET", "POST", "DELETE"] as const) assert.equal(read(method, "/api/v1/watch/namespaces/a/pods")["verb"], "watch");
});

test("[REQ4] a boolean parameter is true unless it is absent, 0 or false", () => {
  assert.deepEqual([null, "", "1", "true", "yes", "0", "false", "FALSE"].map(isTrue), [false, true, true, true, true, false, false, false]);
});
