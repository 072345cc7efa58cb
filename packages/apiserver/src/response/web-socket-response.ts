import { badRequest, refusal, sinkOf } from "@kaji/core";
import { WebSocketSession, acceptanceOf, offeredProtocols } from "@kaji/core/web-socket";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "./api-response.ts";
import { askWhileUnread, switchedResponse } from "./switched-response.ts";

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
  if (!wantsWebSocket(headers) || key === undefined) throw badRequest(`unable to upgrade: ${headers["upgrade"]} is not served here`);
  const offered = offeredProtocols(headers["sec-websocket-protocol"]);
  const protocol = (offered.length === 0 ? [""] : offered).find((name) => protocols.includes(name));
  if (protocol === undefined) {
    throw refusal(
      "Forbidden",
      `unable to upgrade: the subprotocols [${offered.join(" ")}] are not served, only [${protocols.filter((name) => name !== "").join(" ")}]`,
    );
  }
  return switchedResponse({
    headers: {
      upgrade: "websocket",
      "sec-websocket-accept": acceptanceOf(key),
      ...(protocol === "" ? {} : { "sec-websocket-protocol": protocol }),
    },
    serve: async (connection, gone) => {
      const socket = new WebSocketSession(connection, sinkOf(connection));
      using _asking = askWhileUnread(connection, () => socket.ping(), clock);
      await serve(socket, protocol, gone);
      await socket.close();
    },
  });
}
