import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { testCluster } from "@kaji/testing";
import { bucketController } from "./bucket-controller.ts";
import { Bucket } from "./bucket.ts";
import { httpObjectStore } from "./object-store.ts";

/** An object store in this process: buckets by name, each with its objects. */
async function startStore() {
  const buckets = new Map<string, string[]>();
  const server = createServer(({ method, url = "" }, response) => {
    const name = url.slice(1);
    if (method === "PUT") buckets.set(name, buckets.get(name) ?? []);
    if (method === "DELETE") buckets.delete(name);
    const objects = buckets.get(name);
    response.writeHead(objects === undefined && method === "GET" ? 404 : 200).end(JSON.stringify(objects ?? []));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    buckets,
    endpoint: `http://127.0.0.1:${address.port}`,
    [Symbol.dispose]: () => server.close(),
  };
}

test("a Bucket is made once, what is in it is reported, and it goes with its object", async () => {
  using store = await startStore();
  await using cluster = await testCluster({ controllers: [bucketController(httpObjectStore())] });
  await cluster.client.create(Bucket, {
    metadata: { name: "photos", namespace: "default" },
    spec: { endpoint: store.endpoint, quotaObjects: 1 },
  });
  await cluster.settled();
  const made = await cluster.client.get(Bucket, "default/photos");
  assert.deepEqual([made.status?.objects, [...store.buckets.keys()]], [0, [made.status?.bucketName]]);

  // Nobody in the cluster hears of it: the source does, at its next look.
  store.buckets.get(made.status?.bucketName ?? "")?.push("a.jpg", "b.jpg");
  await cluster.advance("40s");
  const full = await cluster.client.get(Bucket, "default/photos");
  assert.deepEqual([full.status?.objects, full.status?.conditions?.[0]?.reason], [2, "TooManyObjects"]);

  // Somebody removes the bucket in the store: it is made again, under its name.
  store.buckets.clear();
  await cluster.advance("40s");
  const again = await cluster.client.get(Bucket, "default/photos");
  assert.deepEqual([again.status?.objects, [...store.buckets.keys()]], [0, [made.status?.bucketName]]);

  await cluster.client.delete(Bucket, "default/photos");
  await cluster.settled();
  assert.deepEqual([...store.buckets.keys()], []);
  assert.deepEqual((await cluster.client.list(Bucket)).items, []);
  assert.deepEqual(cluster.errors, []);
});
