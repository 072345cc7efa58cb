import assert from "node:assert/strict";
import { test } from "node:test";
import { isReason, refusal } from "@kaji/core";
import type { TransportRequest } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { KubeClient } from "../kube-client.ts";
import { retrying } from "./retrying.ts";
import { scriptedTransport } from "../testing/scripted-transport.ts";
import type { ScriptedAnswer, ScriptedTransport } from "../testing/scripted-transport.ts";
import { TransportError } from "../transport-error.ts";

const busy = (status: number, seconds = "1"): ScriptedAnswer => ({ status, headers: { "retry-after": seconds }, body: "later" });
const reset = new TransportError("Interrupted", "the connection was reset");

/** Sends one request to a scripted server, with time going on as it must: what came of it, how often it was sent and how long it took. */
async function outcome(
  script: Parameters<typeof scriptedTransport>[0],
  request: Partial<TransportRequest> = {},
): Promise<{ status: number | undefined; error: unknown; sent: number; tookMs: number }> {
  const clock = new ManualClock();
  const { transport, requests }: ScriptedTransport = scriptedTransport(script);
  const settled = retrying(transport, { clock, random: seededRandom(7) })({ method: "GET", path: "/", headers: {}, ...request }).then(
    ({ status }) => ({ status, error: undefined }),
    (error: unknown) => ({ status: undefined, error }),
  );
  const done = settled.then((result) => ({ ...result, tookMs: clock.monotonic() }));
  await clock.advance(200_000);
  return { ...(await done), sent: requests.length };
}

test("[RETRY1] what the server asks to repeat is repeated after the time it says, and a little", async () => {
  const { status, sent, tookMs } = await outcome([busy(429, "2"), busy(503), busy(500), {}], { method: "POST" });
  assert.equal(status, 200);
  assert.equal(sent, 4);
  assert.ok(tookMs >= 4000 && tookMs <= 4400, String(tookMs));
});

test("[RETRY2] the last answer stands when the retries are used up", async () => {
  const { status, sent } = await outcome(() => busy(429));
  assert.equal(status, 429);
  assert.equal(sent, 11);
});

test("[RETRY3] without a time to wait for, and for all other answers, there is no repetition", async () => {
  for (const answer of [{ status: 429 }, { status: 503 }, busy(409), busy(200), busy(503, "Wed, 21 Oct 2026 07:28:00 GMT")]) {
    assert.equal((await outcome([answer])).sent, 1);
  }
});

test("[RETRY4] a read whose connection broke is repeated, with growing delays", async () => {
  const { status, sent, tookMs } = await outcome([reset, reset, reset, {}]);
  assert.equal(status, 200);
  assert.equal(sent, 4);
  assert.ok(tookMs >= (50 + 100 + 200) / 2 && tookMs <= 50 + 100 + 200, String(tookMs));
});

test("[RETRY5] a write whose connection broke may have been done: it is not repeated", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
    const { error, sent } = await outcome([reset, {}], { method });
    assert.equal(error, reset);
    assert.equal(sent, 1);
  }
});

test("[RETRY6] no other failure is repeated", async () => {
  for (const failure of [new TransportError("Unreachable", "refused"), new TransportError("Untrusted", "who?"), new TypeError("bug")]) {
    const { error, sent } = await outcome([failure, {}]);
    assert.equal(error, failure);
    assert.equal(sent, 1);
  }
});

test("[RETRY7] aborting ends the waiting", async () => {
  const abort = new AbortController();
  const { transport } = scriptedTransport(() => busy(429, "100"));
  const sending = retrying(transport, { clock: new ManualClock() })({ method: "GET", path: "/", headers: {}, signal: abort.signal });
  setImmediate(() => abort.abort(new Error("stop")));
  await assert.rejects(sending, /stop/);
});

test("[RETRY8] when the time for a call is over while it waits to be repeated, what the server has said stands", async () => {
  const clock = new ManualClock();
  const status = refusal("TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.").status;
  const { transport, requests } = scriptedTransport(() => ({ status: 429, headers: { "retry-after": "20" }, body: status }));
  const client = new KubeClient(transport, { clock, random: seededRandom(1), timeoutMs: 30_000 });
  const evicting = client.evict("default/web").catch((error: unknown) => error);
  await clock.advance(30_000);
  const error = await evicting;
  assert.ok(isReason(error, "TooManyRequests"), String(error));
  assert.match(error.message, /disruption budget/);
  assert.equal(requests.length, 2);
});
