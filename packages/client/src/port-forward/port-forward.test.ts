import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { isReason } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { HeaderBlocks, SpdyFrameReader, encodeSpdyFrame, portForwardProtocol } from "@kaji/core/spdy";
import type { SpdyFrame, StreamHeaders } from "@kaji/core/spdy";
import { ManualClock, inTime } from "@kaji/core/testing";
import fc from "fast-check";
import { KubeClient } from "../kube-client.ts";
import { webSocketServer } from "../testing/web-socket-server.ts";
import { portForward } from "./port-forward.ts";
import type { PortForward } from "./port-forward.ts";

/** One side of SPDY, as a node speaks it. */
interface Node {
  /** What the client says, with the headers of streams. */
  readonly heard: () => AsyncGenerator<SpdyFrame & { readonly opens?: StreamHeaders }>;
  readonly say: (...frames: readonly SpdyFrame[]) => Promise<void>;
}

const nothing = new Uint8Array();

/** What a node says at the end of a connection. */
function end(why = ""): readonly SpdyFrame[] {
  return [
    { type: "Data", stream: 3, bytes: nothing, isLast: true },
    { type: "Data", stream: 1, bytes: Buffer.from(why), isLast: true },
  ];
}

/** Agrees to both streams of a connection. */
async function agree({ heard, say }: Node): Promise<AsyncGenerator<SpdyFrame>> {
  const frames = heard();
  for (let streams = 0; streams < 2;) {
    const { value: frame, done } = await frames.next();
    if (done === true) return frames;
    if (frame.type !== "Open") continue;
    streams++;
    await say({ type: "Opened", stream: frame.stream, headers: nothing });
  }
  return frames;
}

/** Sends back what comes, to its end. */
async function echo(node: Node): Promise<void> {
  for await (const frame of await agree(node)) {
    if (frame.type === "Data" && frame.stream === 3) await node.say({ ...frame, isLast: false });
    if (frame.type === "Data" && frame.stream === 3 && frame.isLast) await node.say(...end());
  }
}

interface Script {
  /** How many bytes of its SPDY a server puts into one message. Default all of a frame. */
  readonly messageBytes?: number;
  /** How many messages may be under way. */
  readonly pieces?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** A way to port 80 of a pod on a node that follows a script. */
async function forwardTo(script: (node: Node) => Promise<void>, options: Script = {}): Promise<PortForward & { opened: () => number }> {
  const { messageBytes = 1 << 20, pieces, ...rest } = options;
  let opened = 0;
  const serve = webSocketServer(
    async ({ socket, path }) => {
      assert.equal(path, "/api/v1/namespaces/shop/pods/web/portforward");
      opened++;
      using blocks = new HeaderBlocks();
      await script({
        say: async (...frames) => {
          const bytes = Buffer.concat(frames.map(encodeSpdyFrame));
          for (let at = 0; at < bytes.byteLength; at += messageBytes) await socket.send(bytes.subarray(at, at + messageBytes));
        },
        heard: async function* () {
          const reader = new SpdyFrameReader();
          for await (const message of socket.messages()) {
            for (const frame of reader.push(message)) {
              yield frame.type === "Open" ? { ...frame, opens: await blocks.read(frame.headers) } : frame;
            }
          }
        },
      });
    },
    { headers: { "sec-websocket-protocol": portForwardProtocol }, ...(pieces === undefined ? {} : { pieces }) },
  );
  const forward = await portForward(new KubeClient(serve), "shop/web", 80, rest);
  return Object.assign(forward, { opened: () => opened });
}

test("[FWD1] a connection asks for two streams, and the one for what goes wrong is left alone", async () => {
  const heard: unknown[] = [];
  await using forward = await forwardTo(async (node) => {
    for await (const frame of node.heard()) {
      heard.push(frame.type === "Open" ? [frame.stream, frame.opens] : frame);
      if (frame.type === "Open") await node.say({ type: "Opened", stream: frame.stream, headers: nothing });
    }
  });
  await forward.connect();
  assert.deepEqual(heard, [
    [1, { streamtype: "error", port: "80", requestid: "0" }],
    { type: "Data", stream: 1, bytes: Buffer.of(), isLast: true },
    [3, { streamtype: "data", port: "80", requestid: "0" }],
  ]);
});

test("[FWD1] each connection has a WebSocket, the first one that with which the server has agreed", async () => {
  await using forward = await forwardTo(echo);
  assert.equal(forward.opened(), 1);
  const connections = [await forward.connect(), await forward.connect()];
  assert.equal(forward.opened(), 2);
  for (const [index, connection] of connections.entries()) connection.end(`hello ${index}`);
  assert.deepEqual(await Promise.all(connections.map(text)), ["hello 0", "hello 1"]);
});

test("[FWD1] what the server has against it is heard before anything is connected, and what is no port is not asked for", async () => {
  const status = { kind: "Status", status: "Failure", reason: "NotFound", message: 'pods "web" not found', code: 404 };
  const client = new KubeClient(async () => ({ status: 404, headers: {}, body: new Blob([JSON.stringify(status)]).stream() }));
  await assert.rejects(portForward(client, "shop/web", 80), (error) => isReason(error, "NotFound"));
  await assert.rejects(portForward(client, "web", 80), TypeError);
  for (const port of [0, 65_536, 1.5, Number.NaN]) await assert.rejects(portForward(client, "shop/web", port), TypeError);
});

test("[FWD2] bytes come back as they went, however they are cut on the way", async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.integer({ min: 1, max: 100_000 }).map((length) => Buffer.alloc(length, "kaji")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 100, max: 70_000 }), async (sent, messageBytes) => {
      await using forward = await forwardTo(echo, { messageBytes });
      const connection = await forward.connect();
      for (const bytes of sent) connection.write(bytes);
      connection.end();
      const back: Buffer[] = [];
      for await (const bytes of connection) back.push(bytes);
      assert.deepEqual(Buffer.concat(back), Buffer.concat(sent));
    }),
    { numRuns: 40 },
  );
});

test("[FWD2] the end of what is sent is told while the answer goes on, and both are over with the answer", async () => {
  await using forward = await forwardTo(async (node) => {
    let said = "";
    for await (const frame of await agree(node)) {
      if (frame.type === "Data") said += Buffer.from(frame.bytes).toString();
      if (frame.type === "Data" && frame.isLast) break;
    }
    await node.say({ type: "Data", stream: 3, bytes: Buffer.from(`heard ${said}`), isLast: false }, { type: "Ping", id: 2 }, ...end());
  });
  const connection = await forward.connect();
  connection.end("all");
  assert.equal(await text(connection), "heard all");
  if (!connection.closed) await once(connection, "close");
});

test("[FWD3] what goes wrong is an error with pod and port, whether it is said before or after the end", async () => {
  const why = "error forwarding port 80 to pod: connection refused";
  const scripts: readonly (readonly SpdyFrame[])[] = [
    end(why),
    [
      { type: "Data", stream: 1, bytes: Buffer.from(why), isLast: false },
      { type: "Reset", stream: 3 },
      { type: "Reset", stream: 1 },
    ],
  ];
  for (const frames of scripts) {
    await using forward = await forwardTo(async (node) => {
      await agree(node);
      await node.say(...frames);
    });
    const message = `port 80 of pod shop/web: ${why}`;
    await assert.rejects(text(await forward.connect()), {
      name: "PortForwardError",
      message,
      target: { namespace: "shop", name: "web", port: 80 },
    });
  }
});

test("[FWD3] one that fails, or is reset, leaves the others alone", async () => {
  let count = 0;
  await using forward = await forwardTo(async (node) => {
    if (++count !== 1) return echo(node);
    await agree(node);
    await node.say({ type: "Reset", stream: 3 }, { type: "Reset", stream: 1 });
  });
  const [failing, other] = [await forward.connect(), await forward.connect()];
  await assert.rejects(text(failing), { message: "port 80 of pod shop/web: the connection was reset" });
  const later = await forward.connect();
  for (const connection of [other, later]) connection.end("here");
  assert.deepEqual(await Promise.all([text(other), text(later)]), ["here", "here"]);
});

test("[FWD3] streams that are refused are no connection", async () => {
  await using forward = await forwardTo(async ({ heard, say }) => {
    for await (const frame of heard()) if (frame.type === "Open") await say({ type: "Reset", stream: frame.stream });
  });
  await assert.rejects(forward.connect(), { message: "port 80 of pod shop/web: the connection was reset" });
});

test("[FWD4] a node is held back while nobody reads, and a writer while the node does not; neither is in the way of the end", async () => {
  const clock = new ManualClock();
  const piece = Buffer.alloc(16 * 1024);
  let said = 0;
  const forward = await forwardTo(
    async (node) => {
      await agree(node);
      for (; said < 1000; said++) await node.say({ type: "Data", stream: 3, bytes: piece, isLast: false });
    },
    { pieces: 1, clock },
  );
  const connection = await forward.connect();
  await settled();
  assert.ok(said < 30, `${said} frames`);
  let written = 0;
  while (connection.write(piece)) written++;
  await settled();
  assert.ok(written < 30 && connection.writableNeedDrain, `${written} pieces`);
  const disposed = forward[Symbol.asyncDispose]();
  await settled();
  await clock.advance(1000);
  await disposed;
});

/** When all that can happen has. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

/** A connection to a port of this machine. */
async function dial({ host, port }: { readonly host: string; readonly port: number }): Promise<Socket> {
  const socket = connect({ host, port, allowHalfOpen: true });
  await once(socket, "connect");
  return socket;
}

test("[FWD5] connections to a port of this machine are carried there, both ends of them told", async () => {
  await using forward = await forwardTo(echo);
  await using local = await forward.listen();
  assert.equal(local.host, "127.0.0.1");
  const sockets = await Promise.all([dial(local), dial(local), dial(local)]);
  for (const [index, socket] of sockets.entries()) socket.end(`hello ${index}`);
  assert.deepEqual(await Promise.all(sockets.map(text)), ["hello 0", "hello 1", "hello 2"]);
});

test("[FWD5] one that fails is reset, and why is told; the port goes on", async () => {
  let count = 0;
  await using forward = await forwardTo(async (node) => {
    if (++count !== 1) return echo(node);
    await agree(node);
    await node.say(...end("nobody is there"));
  });
  const errors: string[] = [];
  await using local = await forward.listen({ onError: ({ message }) => errors.push(message) });
  const failing = await dial(local);
  const [error] = await inTime("the connection is reset", once(failing, "error"));
  assert.equal((error as NodeJS.ErrnoException).code, "ECONNRESET");
  assert.deepEqual(errors, ["port 80 of pod shop/web: nobody is there"]);
  const other = await dial(local);
  other.end("here");
  assert.equal(await text(other), "here");
});

test("[FWD5] a client that resets its connection ends it, and is no error; a port that is taken is one", async () => {
  const left = Promise.withResolvers<void>();
  await using forward = await forwardTo(async (node) => {
    for await (const _ of await agree(node));
    left.resolve();
  });
  await using local = await forward.listen({ onError: assert.ifError });
  const socket = await dial(local);
  socket.resetAndDestroy();
  await inTime("the node hears of it", left.promise);
  await assert.rejects(forward.listen({ port: local.port }), { code: "EADDRINUSE" });
});

test("[FWD6] disposing of it ends connections and ports, and no more are made", async () => {
  let left = 0;
  const forward = await forwardTo(async (node) => {
    for await (const _ of await agree(node));
    left++;
  });
  const [connection, local] = [await forward.connect(), await forward.listen({ onError: assert.ifError })];
  const socket = await dial(local);
  const failed = assert.rejects(text(connection), { code: "ERR_STREAM_PREMATURE_CLOSE" });
  const closed = once(socket, "close");
  await forward[Symbol.asyncDispose]();
  socket.destroy();
  await Promise.all([failed, closed]);
  await settled();
  assert.equal(left, forward.opened());
  await assert.rejects(forward.connect(), { message: "port 80 of pod shop/web: it is not forwarded any more" });
  await assert.rejects(forward.listen(), { name: "PortForwardError" });
});

test("[FWD6] aborting ends all of it, or one connection, with the reason", async () => {
  const [all, one] = [new AbortController(), new AbortController()];
  await using forward = await forwardTo(echo, { signal: all.signal });
  const connections = [await forward.connect({ signal: one.signal }), await forward.connect()];
  const ends = connections.map((connection) => assert.rejects(text(connection), /^Error: enough$/));
  one.abort(new Error("enough"));
  await ends[0];
  assert.equal(connections[1]?.destroyed, false);
  all.abort(new Error("enough"));
  await ends[1];
  await assert.rejects(forward.connect(), /^Error: enough$/);
});

test("[FWD7] a server that goes is Interrupted, a node that does not agree in half a minute TimedOut", async () => {
  const clock = new ManualClock();
  await using gone = await forwardTo(async (node) => void (await agree(node)));
  const message = "port 80 of pod shop/web: the connection to the server ended";
  await assert.rejects(text(await gone.connect()), { reason: "Interrupted", message });
  const asked = Promise.withResolvers<void>();
  await using silent = await forwardTo(
    async ({ heard }) => {
      for await (const { type } of heard()) if (type === "Open") asked.resolve();
    },
    { clock },
  );
  const refused = assert.rejects(silent.connect(), { reason: "TimedOut", message: /the node did not agree to a connection in time/ });
  await asked.promise;
  await clock.advance(30_000);
  await refused;
});
