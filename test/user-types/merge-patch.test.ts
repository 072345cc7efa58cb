import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { testCluster } from "@kaji/testing";

const Route = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Route",
  spec: z.object({
    host: z.string().default("example.com"),
    backends: z.array(z.object({ name: z.string(), weight: z.int32().default(1) })),
  }),
});

test("items of a list that a merge patch replaces may leave out what has a default, as in an object that is created", async () => {
  await using cluster = await testCluster({ resources: [Route] });
  const { client } = cluster;
  await client.create(Route, { metadata: { name: "a", namespace: "default" }, spec: { backends: [{ name: "one" }] } });
  const { spec } = await client.mergePatch(Route, "default/a", { spec: { host: null, backends: [{ name: "two" }] } });
  assert.deepEqual(spec, { host: "example.com", backends: [{ name: "two", weight: 1 }] });
  // @ts-expect-error -- what has no default is needed
  await assert.rejects(client.mergePatch(Route, "default/a", { spec: { backends: [{ weight: 2 }] } }), { reason: "Invalid" });
});
