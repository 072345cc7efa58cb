import type { Clock } from "@kaji/core";
import type { WebSocketSession } from "@kaji/core/web-socket";
import type { ApiCall } from "../request/api-caller.ts";
import { TransportError, failedRequest } from "../transport-error.ts";

/** As often as kubectl. */
const pingMs = 10_000;
/** Nobody who is there leaves so many unanswered, though one may be lost with whoever is between. */
const mostUnanswered = 6;

/** What is kept up. */
export interface KeptConnection {
  readonly call: ApiCall;
  readonly clock: Clock;
  /** Ends the connection. */
  readonly end: AbortController;
}

/**
 * Says something now and then on a WebSocket, until it is disposed of: whoever is between closes connections on which nothing happens, many after a minute. A connection on which nobody answers
 * any more is ended, as interrupted: that the other side is gone is told by nobody when it goes without a word.
 */
export function regularPings(socket: WebSocketSession, { call, clock, end }: KeptConnection): Disposable {
  const ping = (): void => {
    if (socket.unanswered >= mostUnanswered) return end.abort(silent(call));
    // What is sent to a server that has closed takes away what it has said before, as long as that has not been read. That the connection is gone is told where it is read.
    if (socket.isWaiting) socket.ping().catch(() => {});
    timer = clock.timer(pingMs, ping);
  };
  let timer = clock.timer(pingMs, ping);
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

function silent(call: ApiCall): TransportError {
  const forSeconds = (mostUnanswered * pingMs) / 1000;
  return new TransportError("Interrupted", `the server has not answered for ${forSeconds} s`, { request: failedRequest(call) });
}
