import type { Clock } from "@kaji/core";
import type { WebSocketSession } from "@kaji/core/web-socket";

/** As often as kubectl. */
const pingMs = 10_000;

/** Says something now and then on a WebSocket, until it is disposed of: whoever is between closes connections on which nothing happens, many after a minute. */
export function regularPings(socket: WebSocketSession, clock: Clock): Disposable {
  const ping = (): void => {
    socket.ping().catch(() => {}); // That the connection is gone is told where it is read.
    timer = clock.timer(pingMs, ping);
  };
  let timer = clock.timer(pingMs, ping);
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
