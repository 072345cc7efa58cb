import { ApiError, refusal } from "@kaji/core";
import type { StatusReason } from "@kaji/core";
import type { ScriptedFault, ScriptedRequest, ScriptedServer } from "./scripted-server.ts";

/** Where a fault takes place: a server under traffic, with an informer at the other end, in real or virtual time. */
export interface FaultStage {
  readonly server: ScriptedServer;
  /** What happens to requests, if anything. */
  fault: (request: ScriptedRequest) => ScriptedFault | undefined;
  /** Writes an object. */
  write(name: string, size?: number, padding?: string): void;
  /** Lets time pass under traffic. */
  pass(seconds: number): Promise<void>;
  /** Lets time pass, and nothing happen. */
  idle(seconds: number): Promise<void>;
  /** Does something after so much time. */
  later(seconds: number, act: () => void): void;
}

/** One fault: how it happens and heals, and what may come of it. */
export interface FaultRow {
  readonly name: string;
  readonly act: (stage: FaultStage) => Promise<void>;
  /** Whether only a list can bridge it, so that states which were overwritten meanwhile are not told. */
  readonly hasGap?: true;
  /** The most requests that it may cost. */
  readonly requests: number;
}

/** What Node says when a connection is reset. */
const reset: Error = new Error("read ECONNRESET");

/** What can go wrong between an informer and its server. */
export const faultRows: readonly FaultRow[] = [
  { name: "clean close every 20 s", requests: 11, act: (stage) => every20Seconds(stage, () => stage.server.closeWatches()) },
  { name: "reset every 20 s", requests: 11, act: (stage) => every20Seconds(stage, () => stage.server.breakWatches(reset)) },
  { name: "500 for 2 min", requests: 12, act: (stage) => refuse(stage, "InternalError") },
  { name: "503 for 2 min", requests: 12, act: (stage) => refuse(stage, "ServiceUnavailable") },
  { name: "429 with Retry-After of 7 s for 2 min", requests: 12, act: (stage) => refuse(stage, "TooManyRequests", 7) },
  { name: "expired token (401) for 2 min", requests: 12, act: (stage) => refuse(stage, "Unauthorized") },
  { name: "revoked permission (403) for 2 min", requests: 12, act: (stage) => refuse(stage, "Forbidden") },
  {
    name: "410 in band",
    hasGap: true,
    requests: 4,
    act: (stage) => loseHistory(stage),
  },
  {
    name: "410 as status",
    hasGap: true,
    requests: 4,
    act: (stage) => {
      stage.server.refusesInBand = false;
      return loseHistory(stage);
    },
  },
  {
    name: "watch closed at once, in place of a 410",
    hasGap: true,
    requests: 4,
    act: async (stage) => {
      // As https://github.com/kubernetes/kubernetes/issues/137089 has it.
      stage.server.filter = (frame, type) => (type === "ERROR" ? undefined : frame);
      await loseHistory(stage);
    },
  },
  {
    name: "compaction while connected, then a reset",
    requests: 3,
    act: async (stage) => {
      await stage.pass(30);
      stage.server.compact();
      await stage.pass(30);
      stage.server.breakWatches(reset);
    },
  },
  {
    name: "silent half-open connection",
    requests: 3,
    act: async (stage) => {
      await stage.pass(90);
      stage.server.forgetWatches();
      await stage.pass(120);
    },
  },
  {
    name: "no answer at all for 10 min",
    requests: 8,
    act: async (stage) => {
      stage.fault = () => ({ type: "Hang" });
      stage.server.breakWatches(reset);
      await stage.pass(600);
      stage.fault = () => undefined;
      await stage.idle(700);
    },
  },
  {
    name: "truncated frame",
    requests: 3,
    act: async (stage) => {
      stage.server.sendRaw('{"type":"MODIFIED","object":{"metadata":{"name":"w-');
      stage.server.breakWatches(reset);
      await stage.pass(20);
      stage.server.sendRaw('{"type":"MODIFIED","object":{"metadata":{"name":"w-');
      stage.server.closeWatches();
    },
  },
  {
    name: "garbage from a proxy",
    requests: 4,
    act: async (stage) => {
      stage.server.sendRaw("<html>502 Bad Gateway</html>\n");
      await stage.idle(5);
    },
  },
  {
    name: "frame of 1.5 MB",
    requests: 2,
    act: async (stage) => {
      stage.write("large", 1, "x".repeat(1_500_000));
      await stage.pass(10);
      stage.write("large", 2, "y".repeat(1_500_000));
    },
  },
  {
    name: "slow server: every frame 9 s late",
    requests: 2,
    act: async (stage) => {
      const { server } = stage;
      server.filter = (frame) => {
        stage.later(9, () => server.sendRaw(frame));
        return undefined;
      };
      await stage.pass(120);
      await stage.idle(10);
      server.filter = (frame) => frame;
    },
  },
  {
    name: "proxy that repeats every frame",
    requests: 2,
    act: async (stage) => {
      stage.server.filter = (frame) => frame + frame;
      await stage.pass(60);
      stage.server.filter = (frame) => frame;
    },
  },
  {
    name: "proxy that drops the bookmark at the end of a streaming list",
    hasGap: true,
    requests: 6,
    act: async (stage) => {
      const { server } = stage;
      server.filter = (frame, type) => (type === "BOOKMARK" && frame.includes("initial-events-end") ? undefined : frame);
      await loseHistory(stage);
      await stage.idle(30);
    },
  },
  {
    name: "server without streaming lists",
    hasGap: true,
    requests: 6,
    act: async (stage) => {
      stage.server.streams = false;
      await loseHistory(stage);
    },
  },
  {
    name: "server without bookmarks, idle for an hour",
    requests: 16,
    act: async (stage) => {
      stage.server.filter = (frame, type) => (type === "BOOKMARK" ? undefined : frame);
      await stage.idle(3600);
    },
  },
  {
    name: "server restart with history",
    requests: 8,
    act: async (stage) => {
      stage.fault = () => ({ type: "Fail", error: new Error("connect ECONNREFUSED") });
      stage.server.breakWatches(reset);
      await stage.pass(30);
      stage.fault = () => undefined;
    },
  },
  {
    name: "server restart without history",
    hasGap: true,
    requests: 9,
    act: async (stage) => {
      stage.fault = () => ({ type: "Fail", error: new Error("connect ECONNREFUSED") });
      stage.server.breakWatches(reset);
      await stage.pass(30);
      stage.server.compact();
      stage.fault = () => undefined;
    },
  },
  {
    name: "server restored from a backup, its history behind ours",
    hasGap: true,
    requests: 6,
    act: async (stage) => {
      await stage.pass(60);
      stage.server.restore(50);
      stage.server.breakWatches(reset);
      await stage.idle(400);
    },
  },
  {
    name: "resource version too large for 2 min",
    requests: 14,
    act: async (stage) => {
      const { status } = refusal("Timeout", "Too large resource version: 100, current: 50");
      const error = new ApiError({ ...status, details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 } });
      stage.fault = ({ options }) => ("resourceVersion" in options ? { type: "Refuse", error } : undefined);
      stage.server.breakWatches(reset);
      await stage.pass(120);
      stage.fault = () => undefined;
    },
  },
  {
    name: "CRD deleted and created again",
    hasGap: true,
    requests: 24,
    act: async (stage) => {
      const { server } = stage;
      for (const key of server.objects.keys()) server.remove(key);
      server.closeWatches();
      stage.fault = () => ({ type: "Refuse", error: refusal("NotFound", "the server could not find the requested resource") });
      await stage.idle(300);
      server.compact();
      stage.fault = () => undefined;
      await stage.idle(30);
    },
  },
  {
    name: "connections that break as soon as they are accepted, for 5 min",
    requests: 40,
    act: async (stage) => {
      flap(stage);
      await stage.pass(300);
      stage.fault = () => undefined;
    },
  },
];

async function every20Seconds(stage: FaultStage, act: () => void): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await stage.pass(20);
    act();
  }
}

/** Refuses every request for two minutes, from when the connection breaks. */
async function refuse(stage: FaultStage, reason: StatusReason, retryAfterSeconds = 0): Promise<void> {
  stage.fault = () => ({ type: "Refuse", error: refusal(reason, "no", { retryAfterSeconds }) });
  stage.server.breakWatches(reset);
  await stage.pass(120);
  stage.fault = () => undefined;
}

/** Breaks the connection, and forgets what happens until the next one. */
async function loseHistory(stage: FaultStage): Promise<void> {
  const { server } = stage;
  server.forgetWatches();
  await stage.pass(30);
  server.skip(1);
  server.compact();
  await stage.idle(1000);
}

/** Breaks every connection as soon as it is accepted. */
export function flap(stage: FaultStage): void {
  stage.fault = () => {
    queueMicrotask(() => queueMicrotask(() => stage.server.breakWatches(reset)));
    return undefined;
  };
  stage.server.breakWatches(reset);
}
