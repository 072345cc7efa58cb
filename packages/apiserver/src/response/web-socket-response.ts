import { duplexPair } from "node:stream";
import type { Duplex } from "node:stream";
import { badRequest, refusal, sinkOf } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { WebSocketSession, acceptanceOf, offeredProtocols } from "@kaji/core/web-socket";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "./api-response.ts";

/** Serves a WebSocket until it returns, in the subprotocol that was agreed on. The signal is aborted when the connection is gone, however much of it is unread. */
export type ServeWebSocket = (socket: WebSocketSession, protocol: string, gone: AbortSignal) => Promise<void>;

/** Whether a client asks to go on as a WebSocket. */
export function wantsWebSocket(headers: RequestContext["headers"]): boolean {
  return headers["upgrade"]?.toLowerCase() === "websocket" && /\bupgrade\b/i.test(headers["connection"] ?? "");
}

/**
 * Goes on as a WebSocket, in the first subprotocol that the client offers and that is one of these. Refuses what is no request for one. An empty one is for clients that offer none.
 */
export function webSocketResponse(
  { headers, clock }: Pick<RequestContext, "clock" | "headers">,
  protocols: readonly string[],
  serve: ServeWebSocket,
): ApiResponse {
  if (headers["upgrade"] === undefined) throw badRequest("Upgrade request required");
  const key = headers["sec-websocket-key"];
  if (!wantsWebSocket(headers) || key === undefined) {
    throw badRequest(`unable to upgrade: ${headers["upgrade"]} is not served, only WebSocket is: kubectl speaks it from 1.31 on`);
  }
  const offered = offeredProtocols(headers["sec-websocket-protocol"]);
  const protocol = (offered.length === 0 ? [""] : offered).find((name) => protocols.includes(name));
  if (protocol === undefined) {
    throw refusal(
      "Forbidden",
      `unable to upgrade: the subprotocols [${offered.join(" ")}] are not served, only [${protocols.filter((name) => name !== "").join(" ")}]`,
    );
  }
  const [tunnel, own] = duplexPair();
  // Otherwise one side of a pair does not hear of the other's end before it has read all.
  tunnel.once("close", () => own.destroy());
  void serveOn(own, clock, (socket, gone) => serve(socket, protocol, gone));
  return {
    status: 101,
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-accept": acceptanceOf(key),
      ...(protocol === "" ? {} : { "sec-websocket-protocol": protocol }),
    },
    body: new Uint8Array(),
    isLive: true,
    tunnel,
  };
}

async function serveOn(
  connection: Duplex,
  clock: Clock,
  serve: (socket: WebSocketSession, gone: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  connection.once("close", () => gone.abort());
  connection.on("error", () => {}); // It closes then, which is all that matters here.
  const socket = new WebSocketSession(connection, sinkOf(connection));
  using _asking = askWhileUnread(connection, socket, clock);
  try {
    await serve(socket, gone.signal);
    await socket.close();
  } catch {
    // Whatever it could tell its client, it has told.
    connection.destroy();
  }
}

/** How often a client is asked whether it is still there. */
const askMs = 5000;

/** A connection from which nothing is read does not tell that its client has gone, but sending something does. A client whose bytes are taken is not asked. */
function askWhileUnread(connection: Duplex, socket: WebSocketSession, clock: Clock): Disposable {
  const ask = (): void => {
    if (connection.readableLength > 0) socket.ping().catch(() => {}); // It closes then, which is all that matters here.
    timer = clock.timer(askMs, ask);
  };
  let timer = clock.timer(askMs, ask);
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
