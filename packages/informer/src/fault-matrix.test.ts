import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, refusal } from "@kaji/core";
import type { StatusReason } from "@kaji/core";
import { FaultRig } from "./testing/fault-rig.ts";

/** One fault: how it happens and heals, and what may come of it. */
interface Row {
  readonly name: string;
  readonly act: (faults: FaultRig) => Promise<void>;
  /** Whether only a list can bridge it, so that states nobody could see are not told. */
  readonly hasGap?: true;
  /** The most requests that it may cost. */
  readonly requests: number;
}

const reset = new Error("read ECONNRESET");

const rows: readonly Row[] = [
  { name: "clean close every 20 s", requests: 11, act: (faults) => every20Seconds(faults, () => faults.rig.server.closeWatches()) },
  { name: "reset every 20 s", requests: 11, act: (faults) => every20Seconds(faults, () => faults.rig.server.breakWatches(reset)) },
  { name: "500 for 2 min", requests: 12, act: (faults) => refuse(faults, "InternalError") },
  { name: "503 for 2 min", requests: 12, act: (faults) => refuse(faults, "ServiceUnavailable") },
  { name: "429 with Retry-After of 7 s for 2 min", requests: 12, act: (faults) => refuse(faults, "TooManyRequests", 7) },
  { name: "expired token (401) for 2 min", requests: 12, act: (faults) => refuse(faults, "Unauthorized") },
  { name: "revoked permission (403) for 2 min", requests: 12, act: (faults) => refuse(faults, "Forbidden") },
  {
    name: "410 in band",
    hasGap: true,
    requests: 4,
    act: (faults) => loseHistory(faults),
  },
  {
    name: "410 as status",
    hasGap: true,
    requests: 4,
    act: (faults) => {
      faults.rig.server.refusesInBand = false;
      return loseHistory(faults);
    },
  },
  {
    name: "compaction while connected, then a reset",
    requests: 3,
    act: async (faults) => {
      await faults.pass(30);
      faults.rig.server.compact();
      await faults.pass(30);
      faults.rig.server.breakWatches(reset);
    },
  },
  {
    name: "silent half-open connection",
    requests: 3,
    act: async (faults) => {
      await faults.pass(90);
      faults.rig.server.forgetWatches();
      await faults.pass(120);
    },
  },
  {
    name: "no answer at all for 10 min",
    requests: 8,
    act: async (faults) => {
      faults.fault = () => ({ type: "Hang" });
      faults.rig.server.breakWatches(reset);
      await faults.pass(600);
      faults.fault = () => undefined;
      await faults.idle(700);
    },
  },
  {
    name: "truncated frame",
    requests: 3,
    act: async (faults) => {
      faults.rig.server.sendRaw('{"type":"MODIFIED","object":{"metadata":{"name":"w-');
      faults.rig.server.breakWatches(reset);
      await faults.pass(20);
      faults.rig.server.sendRaw('{"type":"MODIFIED","object":{"metadata":{"name":"w-');
      faults.rig.server.closeWatches();
    },
  },
  {
    name: "garbage from a proxy",
    requests: 4,
    act: async (faults) => {
      faults.rig.server.sendRaw("<html>502 Bad Gateway</html>\n");
      await faults.idle(5);
    },
  },
  {
    name: "frame of 1.5 MB",
    requests: 2,
    act: async (faults) => {
      faults.write("large", 1, "x".repeat(1_500_000));
      await faults.pass(10);
      faults.write("large", 2, "y".repeat(1_500_000));
    },
  },
  {
    name: "slow server: every frame 9 s late",
    requests: 2,
    act: async (faults) => {
      const { server, clock } = faults.rig;
      server.filter = (frame) => {
        clock.timer(9000, () => server.sendRaw(frame));
        return undefined;
      };
      await faults.pass(120);
      await faults.idle(10);
      server.filter = (frame) => frame;
    },
  },
  {
    name: "proxy that repeats every frame",
    requests: 2,
    act: async (faults) => {
      faults.rig.server.filter = (frame) => frame + frame;
      await faults.pass(60);
      faults.rig.server.filter = (frame) => frame;
    },
  },
  {
    name: "proxy that drops the bookmark at the end of a streaming list",
    hasGap: true,
    requests: 6,
    act: async (faults) => {
      const { server } = faults.rig;
      server.filter = (frame, type) => (type === "BOOKMARK" && frame.includes("initial-events-end") ? undefined : frame);
      await loseHistory(faults);
      await faults.idle(30);
    },
  },
  {
    name: "server without streaming lists",
    hasGap: true,
    requests: 6,
    act: async (faults) => {
      faults.rig.server.streams = false;
      await loseHistory(faults);
    },
  },
  {
    name: "server without bookmarks, idle for an hour",
    requests: 16,
    act: async (faults) => {
      faults.rig.server.filter = (frame, type) => (type === "BOOKMARK" ? undefined : frame);
      await faults.idle(3600);
    },
  },
  {
    name: "server restart with history",
    requests: 8,
    act: async (faults) => {
      faults.fault = () => ({ type: "Fail", error: new Error("connect ECONNREFUSED") });
      faults.rig.server.breakWatches(reset);
      await faults.pass(30);
      faults.fault = () => undefined;
    },
  },
  {
    name: "server restart without history",
    hasGap: true,
    requests: 9,
    act: async (faults) => {
      faults.fault = () => ({ type: "Fail", error: new Error("connect ECONNREFUSED") });
      faults.rig.server.breakWatches(reset);
      await faults.pass(30);
      faults.rig.server.compact();
      faults.fault = () => undefined;
    },
  },
  {
    name: "server restored from a backup, its history behind ours",
    hasGap: true,
    requests: 6,
    act: async (faults) => {
      await faults.pass(60);
      faults.rig.server.restore(50);
      faults.rig.server.breakWatches(reset);
      await faults.idle(400);
    },
  },
  {
    name: "resource version too large for 2 min",
    requests: 14,
    act: async (faults) => {
      const { status } = refusal("Timeout", "Too large resource version: 100, current: 50");
      const error = new ApiError({ ...status, details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 } });
      faults.fault = ({ options }) => ("resourceVersion" in options ? { type: "Refuse", error } : undefined);
      faults.rig.server.breakWatches(reset);
      await faults.pass(120);
      faults.fault = () => undefined;
    },
  },
  {
    name: "CRD deleted and created again",
    hasGap: true,
    requests: 24,
    act: async (faults) => {
      const { server } = faults.rig;
      for (const key of server.objects.keys()) server.remove(key);
      server.closeWatches();
      faults.fault = () => ({ type: "Refuse", error: refusal("NotFound", "the server could not find the requested resource") });
      await faults.idle(300);
      server.compact();
      faults.fault = () => undefined;
      await faults.idle(30);
    },
  },
];

test("[FAULT2] 10,000 flaps: every connection breaks as soon as it is accepted", async () => {
  await using faults = new FaultRig();
  await faults.idle(1);
  await faults.pass(10);
  const { server, clock } = faults.rig;
  faults.fault = () => {
    queueMicrotask(() => queueMicrotask(() => server.breakWatches(reset)));
    return undefined;
  };
  server.breakWatches(reset);
  const startMs = clock.monotonic();
  while (server.requests.length < 10_000) {
    faults.write("w-1", server.requests.length);
    await faults.idle(60);
  }
  const perSecond = server.requests.length / ((clock.monotonic() - startMs) / 1000);
  assert.ok(perSecond < 0.1, `${perSecond} requests per second`);
  assert.ok(faults.rig.informer.stats.reservedBytes < 64 * 1024);
  assert.ok(clock.pending <= 1);
  faults.fault = () => undefined;
  await faults.pass(70);
  const { lost, duplicates, recovered } = faults.outcome();
  assert.deepEqual({ lost, duplicates, recovered }, { lost: 0, duplicates: 0, recovered: true });
});

for (const { name, act, hasGap = false, requests } of rows) {
  test(`[FAULT1] ${name}`, async () => {
    await using faults = new FaultRig();
    await faults.idle(1);
    await faults.pass(10);
    await act(faults);
    await faults.pass(70);
    const outcome = faults.outcome();
    assert.deepEqual(outcome, {
      ...outcome,
      lost: hasGap ? outcome.lost : 0,
      duplicates: 0,
      recovered: true,
    });
    assert.ok(outcome.requests <= requests, `${outcome.requests} requests`);
    assert.ok(outcome.burst <= 10, `${outcome.burst} requests in ten seconds`);
    assert.ok(faults.rig.clock.pending <= 1, `${faults.rig.clock.pending} timers`);
  });
}

async function every20Seconds(faults: FaultRig, act: () => void): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await faults.pass(20);
    act();
  }
}

/** Refuses every request for two minutes, from when the connection breaks. */
async function refuse(faults: FaultRig, reason: StatusReason, retryAfterSeconds = 0): Promise<void> {
  faults.fault = () => ({ type: "Refuse", error: refusal(reason, "no", { retryAfterSeconds }) });
  faults.rig.server.breakWatches(reset);
  await faults.pass(120);
  faults.fault = () => undefined;
}

/** Breaks the connection, and forgets what happens until the next one. */
async function loseHistory(faults: FaultRig): Promise<void> {
  const { server } = faults.rig;
  server.forgetWatches();
  await faults.pass(30);
  server.skip(1);
  server.compact();
  await faults.idle(1000);
}
