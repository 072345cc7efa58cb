import { duplexPair } from "node:stream";
import type { Duplex } from "node:stream";
import type { Clock } from "@kaji/core";
import type { ApiResponse } from "./api-response.ts";

/** How a connection goes on in another protocol. */
export interface SwitchedProtocol {
  /** Says which protocol it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Serves the connection until it returns. The signal is aborted when the connection is gone, however much of it is unread. */
  readonly serve: (connection: Duplex, gone: AbortSignal) => Promise<void>;
}

/** Goes on in another protocol. */
export function switchedResponse({ headers, serve }: SwitchedProtocol): ApiResponse {
  const [tunnel, own] = duplexPair();
  // Otherwise one side of a pair does not hear of the other's end before it has read all.
  tunnel.once("close", () => own.destroy());
  void serveOn(own, serve);
  return { status: 101, headers: { connection: "Upgrade", ...headers }, body: new Uint8Array(), isLive: true, tunnel };
}

async function serveOn(connection: Duplex, serve: SwitchedProtocol["serve"]): Promise<void> {
  const gone = new AbortController();
  connection.once("close", () => gone.abort());
  connection.on("error", () => {}); // It closes then, which is all that matters here.
  try {
    await serve(connection, gone.signal);
  } catch {
    // Whatever it could tell its client, it has told.
    connection.destroy();
  }
}

/** How often a client is asked whether it is still there. */
const askMs = 5000;

/** A connection from which nothing is read does not tell that its client has gone, but sending something does. A client whose bytes are taken is not asked. */
export function askWhileUnread(connection: Duplex, ping: () => Promise<void>, clock: Clock): Disposable {
  const ask = (): void => {
    if (connection.readableLength > 0) ping().catch(() => {}); // It closes then, which is all that matters here.
    timer = clock.timer(askMs, ask);
  };
  let timer = clock.timer(askMs, ask);
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
