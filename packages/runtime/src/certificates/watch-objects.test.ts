import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { forbidden } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Secret } from "@kaji/types/core/v1";
import { watchObjects } from "./watch-objects.ts";

const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "keys", namespace: "ops", resourceVersion: "1" } };

/** Watches a Secret by a transport; when each watch was asked for, and each change was told, by the clock. */
function watchBy(clock: ManualClock, transport: Transport): { asked: number[]; told: number[]; end: AbortController; over: Promise<void> } {
  const [asked, told, end] = [[] as number[], [] as number[], new AbortController()];
  const random = seededRandom(1);
  const client = new KubeClient((request) => (asked.push(clock.monotonic()), transport(request)), { clock, random });
  const object = { resource: Secret, name: "keys", namespace: "ops" };
  const onChange = (): void => void told.push(clock.monotonic());
  const over = watchObjects(client, [object], { clock, random, pauseMs: 600_000, onChange, signal: end.signal });
  return { asked, told, end, over };
}

test("[WCA14] a watch that breaks is begun again soon, and tells what has happened meanwhile", async () => {
  const clock = new ManualClock();
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${JSON.stringify({ type: "ADDED", object: secret })}\n`);
    await clock.sleep(60_000);
    throw new Error("the connection was reset");
  }
  const { told, end, over } = watchBy(clock, async () => ({ status: 200, headers: {}, body: body() }));
  await clock.advance(125_000);
  assert.equal(told.length, 3);
  end.abort();
  await clock.advance(60_000);
  await over;
});

test("[WCA14] one that is refused is asked for less and less", async () => {
  const clock = new ManualClock();
  const { status, code } = forbidden(Secret, "keys", "no rule");
  const refusal = (): AsyncIterable<Uint8Array> => new Blob([JSON.stringify(status)]).stream();
  const { asked, end, over } = watchBy(clock, async () => ({ status: code, headers: {}, body: refusal() }));
  await clock.advance(3_600_000);
  assert.ok(asked.length > 5 && asked.length < 25, String(asked.length));
  end.abort();
  await over;
});
