import { offeredProtocols } from "@kaji/core/web-socket";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { messagesResponse } from "../response/messages-response.ts";

const lineEnd = 0x0a;

/** A watch as a WebSocket, as Java's clients ask for it: each event is a message of text. The subprotocol means nothing, and is whatever the client calls it. */
export function watchInMessages(
  context: RequestContext,
  start: (context: RequestContext) => Promise<AsyncIterable<Uint8Array>>,
): Promise<ApiResponse> {
  const protocols = ["", ...offeredProtocols(context.headers["sec-websocket-protocol"])];
  return messagesResponse(context, protocols, async (request) => {
    const events = await start(request);
    return async (socket) => {
      for await (const piece of events) for (const line of linesOf(piece)) await socket.sendText(line);
    };
  });
}

/** The events of a piece, which has them whole, each with the end of its line. */
function* linesOf(piece: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < piece.byteLength) {
    const end = piece.indexOf(lineEnd, start) + 1;
    yield piece.subarray(start, end);
    start = end;
  }
}
