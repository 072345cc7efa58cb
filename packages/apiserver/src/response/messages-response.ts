import type { WebSocketSession } from "@kaji/core/web-socket";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "./api-response.ts";
import { webSocketResponse } from "./web-socket-response.ts";

/** Sends all there is in the subprotocol that was agreed on, each piece when there is room for it. */
export type SendMessages = (socket: WebSocketSession, protocol: string) => Promise<void>;

/** An answer in the messages of a WebSocket, until it or the client ends. What the client says is not heard. The request that is begun is aborted when the client has gone. */
export async function messagesResponse(
  context: RequestContext,
  protocols: readonly string[],
  begin: (context: RequestContext) => Promise<SendMessages>,
): Promise<ApiResponse> {
  const left = new AbortController();
  const { signal = left.signal } = context;
  const send = await begin({ ...context, signal: AbortSignal.any([signal, left.signal]) });
  try {
    return webSocketResponse(context, protocols, async (socket, protocol) => {
      void listen(socket).finally(() => left.abort());
      await send(socket, protocol);
    });
  } catch (error) {
    left.abort();
    throw error;
  }
}

/** Resolves when the client has gone. */
async function listen(socket: WebSocketSession): Promise<void> {
  try {
    for await (const _message of socket.messages());
  } catch {
    // It broke, which is an end too.
  }
}
