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
  assert.match(await get("/version"), /^200 .*"gitVersion":"v1.36.3"/);
  assert.equal(await get("/version/"), await get("/version"));
  assert.match(await get("/version/more"), /^404 /);
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
