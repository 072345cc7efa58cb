import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createApiServer } from "./create-api-server.ts";

test("[REQ1] built-in kinds have no old watch path for what cannot be watched", async () => {
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1) });
  const statusOf = async (path: string): Promise<number> => (await server.transport()({ method: "GET", path, headers: {} })).status;
  const inDefault = "/api/v1/watch/namespaces/default";
  for (const path of ["pods/a/status", "pods/a/log", "bindings", "status"]) assert.equal(await statusOf(`${inDefault}/${path}`), 404, path);
  assert.equal(await statusOf("/apis/authorization.k8s.io/v1/watch/subjectaccessreviews"), 404);
  assert.equal(await statusOf("/apis/authorization.k8s.io/v1/subjectaccessreviews?watch=true"), 405);
});
