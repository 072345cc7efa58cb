import { defineController, poll } from "kaji";
import { Bucket } from "./bucket.ts";
import type { ObjectStore } from "./object-store.ts";

/** Looks after buckets: makes each once, whatever crashes in between, and reports what is in it. */
export function bucketController(store: ObjectStore) {
  return defineController(Bucket, {
    // What happens in the store tells nobody in the cluster: somebody has to look.
    sources: [poll({ interval: "30s", read: ({ spec, status }, signal) => countIn(store, spec.endpoint, status?.bucketName, signal) })],
    async reconcile(bucket, { effect, setStatus, event, signal }) {
      const { endpoint, quotaObjects } = bucket.spec;
      // The intent is recorded before the call: after a crash the same token finds the bucket that was made, and no second one is.
      const bucketName = await effect("bucket", {
        inputs: { endpoint },
        ensure: async (token, until) => {
          await store.create(endpoint, token, until);
          return token;
        },
        isIntact: async (token, _result, until) => (await store.count(endpoint, token, until)) !== undefined,
      });
      const objects = (await store.count(endpoint, bucketName, signal)) ?? 0;
      const isFull = objects > quotaObjects;
      const message = `${objects} of ${quotaObjects} objects`;
      await setStatus({
        bucketName,
        objects,
        conditions: [{ type: "WithinQuota", status: isFull ? "False" : "True", reason: isFull ? "TooManyObjects" : "Fits", message }],
      });
      if (isFull) event("Warning", "TooManyObjects", message);
    },
    async finalize(bucket, { undo }) {
      await undo("bucket", (token, _result, signal) => store.remove(bucket.spec.endpoint, token, signal));
    },
  });
}

async function countIn(store: ObjectStore, endpoint: string, name: string | undefined, signal: AbortSignal): Promise<number | undefined> {
  return name === undefined ? undefined : store.count(endpoint, name, signal);
}
