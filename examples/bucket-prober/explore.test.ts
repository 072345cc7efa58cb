import { test } from "node:test";
import { explore } from "@kaji/testing";
import { bucketController } from "./bucket-controller.ts";
import { Bucket } from "./bucket.ts";
import type { ObjectStore } from "./object-store.ts";

const endpoint = "http://store.example.com";

/** An object store that lasts as long as a run. What it holds when all is done is compared, and each call to it can fail. */
class FakeStore implements ObjectStore {
  readonly buckets: Record<string, number> = {};

  async create(_endpoint: string, bucket: string): Promise<void> {
    this.buckets[bucket] ??= 0;
  }

  async count(_endpoint: string, bucket: string): Promise<number | undefined> {
    return this.buckets[bucket];
  }

  async remove(_endpoint: string, bucket: string): Promise<void> {
    delete this.buckets[bucket];
  }
}

test("a Bucket is made once and goes with its object, whatever single thing goes wrong in the cluster or in the store", async () => {
  await explore({
    external: () => new FakeStore(),
    controllers: (store) => [bucketController(store)],
    ops: (user) => [
      user.create(Bucket, { metadata: { name: "photos", namespace: "default" }, spec: { endpoint, quotaObjects: 1 } }),
      user.mergePatch(Bucket, "default/photos", { spec: { quotaObjects: 5 } }),
      user.delete(Bucket, "default/photos"),
    ],
    runs: 40,
  }).expectNoViolations();
});
