import type { Random } from "@kaji/core";
import { WebSocketSession, acceptanceOf } from "@kaji/core/web-socket";
import type { ApiCall, ApiCaller } from "../request/api-caller.ts";
import { TransportError, failedRequest } from "../transport-error.ts";

/** A WebSocket to the server, and the subprotocol that it speaks. */
export interface OpenWebSocket {
  readonly socket: WebSocketSession;
  /** Undefined if the server has chosen none of those that it was offered. */
  readonly protocol: string | undefined;
}

/** Goes on as a WebSocket, in one of these subprotocols, the best first. Throws a `TransportError` at an answer that is no WebSocket's. */
export async function openWebSocket(
  caller: ApiCaller,
  call: ApiCall,
  protocols: readonly string[],
  random: Random,
): Promise<OpenWebSocket> {
  const key = Buffer.from(random.bytes(16)).toString("base64");
  const { body, upstream, headers } = await caller.upgrade(call, {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-key": key,
    "sec-websocket-version": "13",
    "sec-websocket-protocol": protocols.join(", "),
  });
  if (upstream === undefined || headers["sec-websocket-accept"] !== acceptanceOf(key)) {
    // Nobody else would close the connection.
    await body[Symbol.asyncIterator]().return?.();
    throw new TransportError("Malformed", "the server did not answer as a WebSocket does", { request: failedRequest(call) });
  }
  const socket = new WebSocketSession(body, upstream, { mask: () => random.bytes(4) });
  return { socket, protocol: protocols.find((name) => name === headers["sec-websocket-protocol"]) };
}
