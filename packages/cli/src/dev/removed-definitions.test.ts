import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import type { Transport } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { watchRemovedDefinitions } from "./removed-definitions.ts";

test("a cluster that does not let definitions be watched is asked less and less often", async () => {
  const clock = new ManualClock();
  const askedAtMs: number[] = [];
  const refusing: Transport = (request) => {
    if (request.path.includes("watch")) askedAtMs.push(clock.monotonic());
    const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", message: "no", code: 403 };
    const body = new TextEncoder().encode(JSON.stringify(status));
    const answer = async function* (): AsyncGenerator<Uint8Array> {
      yield body;
    };
    return Promise.resolve({ status: 403, headers: { "content-type": "application/json" }, body: answer() });
  };
  const connection = { server: "https://127.0.0.1:1" };
  await using client = await createClient({ connection, clock, wrap: () => refusing });
  await using _watch = watchRemovedDefinitions({ client, clock }, () => assert.fail("nothing was removed"));
  for (let second = 0; second < 300; second++) await clock.advance(1000);
  const waits = askedAtMs.slice(1).map((atMs, index) => atMs - (askedAtMs[index] ?? 0));
  assert.deepEqual(waits.slice(0, 7), [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});
