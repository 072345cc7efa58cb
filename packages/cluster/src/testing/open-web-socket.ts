import assert from "node:assert/strict";
import { WebSocketSession } from "@kaji/core/web-socket";
import type { Cluster } from "../cluster.ts";

/** The client's side of a WebSocket at a path of a cluster. */
export async function openWebSocket(cluster: Cluster, path: string, protocol: string): Promise<WebSocketSession> {
  const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "a", "sec-websocket-protocol": protocol };
  const { status, body, upstream = assert.fail() } = await cluster.transport()({ method: "GET", path, headers });
  assert.equal(status, 101);
  return new WebSocketSession(body, upstream, { mask: () => new Uint8Array(4) });
}

/** What a server says in the messages of a WebSocket, each with its channel in front if there are channels. */
export async function messagesOf(cluster: Cluster, path: string, protocol: string): Promise<readonly string[]> {
  const socket = await openWebSocket(cluster, path, protocol);
  const messages: string[] = [];
  for await (const message of socket.messages()) messages.push(String(message));
  return messages;
}
