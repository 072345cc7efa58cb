import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { WebSocketSession } from "@kaji/core/web-socket";
import { sinkOf } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { webSocketResponse } from "./web-socket-response.ts";
import type { ServeWebSocket } from "./web-socket-response.ts";

const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "a", "sec-websocket-protocol": "v5.channel.k8s.io" };
const long = new Uint8Array(1_000_000);

test("a client that goes is noticed, however much of what it sent is unread, and what it has not read is lost", async () => {
  const { promise: hasSent, resolve: sent } = Promise.withResolvers<void>();
  const serve: ServeWebSocket = async (socket, _protocol, gone) => {
    const sending = [socket.send(long), socket.send(long)];
    await once(gone, "abort");
    await Promise.all(sending);
    sent();
  };
  const { tunnel = assert.fail() } = webSocketResponse({ headers, clock: new ManualClock() }, ["v5.channel.k8s.io"], serve);
  const client = new WebSocketSession(tunnel, sinkOf(tunnel), { mask: () => new Uint8Array(4) });
  const sending = client.send(long);
  tunnel.destroy();
  await sending;
  await hasSent;
});

test("a client whose bytes are not taken is asked now and then whether it is still there, and no other", async () => {
  const clock = new ManualClock();
  const taken = Promise.withResolvers<void>();
  const serve: ServeWebSocket = async (socket) => {
    const messages = socket.messages();
    await messages.next();
    await taken.promise;
    await messages.next();
  };
  const { tunnel = assert.fail() } = webSocketResponse({ headers, clock }, ["v5.channel.k8s.io"], serve);
  const heard: Buffer[] = [];
  tunnel.on("data", (bytes: Buffer) => heard.push(bytes));
  const client = new WebSocketSession(tunnel, sinkOf(tunnel), { mask: () => new Uint8Array(4) });
  await client.send(Buffer.of(1));
  await clock.advance(60_000);
  assert.deepEqual(heard, []);
  await client.send(Buffer.of(2));
  await clock.advance(10_000);
  assert.deepEqual(Buffer.concat(heard), Buffer.of(0x89, 0, 0x89, 0));
  taken.resolve();
  tunnel.end();
  await once(tunnel, "end");
  assert.equal(clock.pending, 0);
});
