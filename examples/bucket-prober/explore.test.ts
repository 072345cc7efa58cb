import { test } from "node:test";
import { explore } from "@kaji/testing";
import { bucketController } from "./bucket-controller.ts";
import { Bucket } from "./bucket.ts";
import { httpObjectStore } from "./object-store.ts";
import type { Fetch } from "./object-store.ts";

const endpoint = "http://store.example.com";

/** An object store that lasts as long as a run. What it holds is compared, each request to it can fail, and others can change what is in it. */
class SimulatedStore {
  readonly buckets: Map<string, readonly string[]> = new Map();

  readonly fetch: Fetch = async (url, { method }) => {
    const name = url.slice(`${endpoint}/`.length);
    const objects = this.buckets.get(name);
    if (method === "PUT") this.buckets.set(name, objects ?? []);
    if (method === "DELETE") this.buckets.delete(name);
    return method === "GET" && objects === undefined ? new Response(null, { status: 404 }) : Response.json(objects ?? []);
  };
}

test("a Bucket is made once, made again if somebody removes it, and goes with its object, whatever single thing goes wrong in the cluster or in the store", async () => {
  await explore({
    external: () => new SimulatedStore(),
    // The controller with its own HTTP client: only the network is not there.
    controllers: (store) => [bucketController(httpObjectStore(store.fetch))],
    ops: (user) => [
      user.create(Bucket, { metadata: { name: "photos", namespace: "default" }, spec: { endpoint, quotaObjects: 1 } }),
      user.mergePatch(Bucket, "default/photos", { spec: { quotaObjects: 5 } }),
      user.delete(Bucket, "default/photos"),
    ],
    drift: { "the bucket is removed in the store": ({ buckets }) => buckets.clear() },
    refusals: { "the store has too much to do": () => new Response(null, { status: 503 }) },
    eventually: {
      "each bucket belongs to a Bucket": (world, { buckets }) =>
        [...buckets.keys()].every((name) => [...world.list(Bucket)].some(({ status }) => status?.bucketName === name)),
    },
    runs: 60,
  }).expectNoViolations();
});
