import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyBytes, bytesText } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { ApiServer } from "./api-server.ts";
import { healthPaths } from "./health.ts";
import { createMemoryStorage } from "./storage/memory-storage.ts";

const version = { major: "1", minor: "36", gitVersion: "v1.36.3" };

test("[DISC5] the version and what is well are told, with a slash at the end of the path where the real server takes one", async () => {
  const clock = new ManualClock();
  await using server = new ApiServer({ storage: createMemoryStorage({ clock }), paths: healthPaths(version), clock });
  const get = async (path: string): Promise<string> => {
    const { status, body } = await server.transport()({ method: "GET", path, headers: {} });
    return `${status} ${bytesText(await bodyBytes(body))}`;
  };
  assert.match(await get("/version"), /^200 {\n  "major": "1",\n.*"gitVersion": "v1.36.3".*\n}$/s);
  assert.equal(await get("/version/"), await get("/version"));
  assert.match(await get("/version/more"), /^404 {.*"message":"the server could not find the requested resource"/);
  assert.equal(await get("/livez"), "200 ok");
  assert.equal(await get("/livez/ping"), "200 ok");
  assert.equal(await get("/healthz/poststarthook/rbac/bootstrap-roles"), "200 ok");
  assert.equal(await get("/readyz/shutdown"), "200 ok");
  assert.match(await get("/livez/shutdown"), /^404 /);
  for (const path of ["/livez/", "/livez/ping/", "/livez/nothing"]) assert.match(await get(path), /^404 /);
});

test("[DISC5] what is checked is told one by one to who asks, and what is not to be checked", async () => {
  const clock = new ManualClock();
  await using server = new ApiServer({ storage: createMemoryStorage({ clock }), paths: healthPaths(version), clock });
  const { body } = await server.transport()({ method: "GET", path: "/readyz?verbose&exclude=etcd&exclude=nothing", headers: {} });
  const lines = bytesText(await bodyBytes(body)).split("\n");
  assert.deepEqual(lines.slice(0, 4), ["[+]ping ok", "[+]log ok", "[+]etcd excluded: ok", "[+]etcd-readiness ok"]);
  assert.deepEqual(lines.slice(-3), ['warn: some health checks cannot be excluded: no matches for "nothing"', "readyz check passed", ""]);
});

test("[DISC5] the checks are those of a real server, in its order", async () => {
  const clock = new ManualClock();
  await using server = new ApiServer({ storage: createMemoryStorage({ clock }), paths: healthPaths(version), clock });
  const checksOf = async (name: string): Promise<readonly string[]> => {
    const { headers, body } = await server.transport()({ method: "GET", path: `/${name}?verbose`, headers: {} });
    assert.equal(headers["x-content-type-options"], "nosniff");
    return [...bytesText(await bodyBytes(body)).matchAll(/^\[\+\](\S+) ok$/gm)].map(([, check = ""]) => check);
  };
  const [live, ready] = [await checksOf("livez"), await checksOf("readyz")];
  assert.deepEqual(await checksOf("healthz"), live);
  assert.deepEqual(live.slice(0, 5), [
    "ping",
    "log",
    "loopback-serving-certificate",
    "etcd",
    "poststarthook/start-apiserver-admission-initializer",
  ]);
  assert.deepEqual(live.slice(-3), [
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
  ]);
  assert.deepEqual([live.length, ready.length, ready.at(-1)], [34, 36, "shutdown"]);
});

test("[DISC7] a refusal for a client that accepts no form of it is written as for people", async () => {
  const clock = new ManualClock();
  await using server = new ApiServer({ storage: createMemoryStorage({ clock }), paths: healthPaths(version), clock });
  const { status, headers, body } = await server.transport()({ method: "GET", path: "/version", headers: { accept: "text/html" } });
  assert.deepEqual([status, headers["content-type"]], [406, "application/json"]);
  assert.match(bytesText(await bodyBytes(body)), /^{\n  "kind": "Status",\n.*\n}$/s);
});
