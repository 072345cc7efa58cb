import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kaji/types/core/v1";
import { KubeClient } from "../kube-client.ts";
import { TransportError } from "../transport-error.ts";
import { wholeBody } from "./whole-body.ts";

const piece = Buffer.alloc(1 << 20, "a");

/** Bytes that never end, and how many megabytes of them were read. */
function endless(): { readonly body: AsyncIterable<Uint8Array>; readonly read: () => number; readonly isLeft: () => boolean } {
  let count = 0;
  let isLeft = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (; count < 2000; count++) yield piece;
    } finally {
      isLeft = true;
    }
  }
  return { body: pieces(), read: () => count, isLeft: () => isLeft };
}

const isTooLong =
  (message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof TransportError && error.reason === "Malformed" && message.test(error.message);

test("[CL52] a body that has too much is left where it has", async () => {
  const { body, read, isLeft } = endless();
  const reading = wholeBody(body, 3 << 20, { method: "GET", path: "/version" });
  await assert.rejects(reading, isTooLong(/^the response has more than 3 MiB \(GET \/version\)$/));
  assert.ok(isLeft());
  assert.equal(read(), 3);
});

test("[CL52] a line of a watch or a log that never ends, and a refusal that does not, is left", async () => {
  for (const status of [200, 503]) {
    const { body, read, isLeft } = endless();
    const client = new KubeClient(() => Promise.resolve({ status, headers: {}, body }));
    const watching = client.watch(ConfigMap, { namespace: "n" }).next();
    await assert.rejects(watching, isTooLong(/has more than \d+ MiB \(GET \/api\/v1\/namespaces\/n\/configmaps\)$/));
    assert.ok(isLeft());
    assert.equal(read(), status === 200 ? 64 : 4);
  }
});
