import { once } from "node:events";
import { connect } from "node:net";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import type { ServerRequest } from "./server-request.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { webSocketResponse } from "../response/web-socket-response.ts";
import { listen } from "./http-listener.ts";

test("[HTTP10] what a client would be joined to is let go of if the client has gone before the answer", async () => {
  const [tunnel] = duplexPair();
  const arrived = Promise.withResolvers<void>();
  const handle = async ({ signal }: ServerRequest): Promise<ApiResponse> => {
    arrived.resolve();
    if (signal?.aborted === false) await once(signal, "abort");
    return { status: 101, headers: { upgrade: "any" }, body: new Uint8Array(), isLive: true, tunnel };
  };
  await using listener = await listen({ handle });
  const client = connect(Number(new URL(listener.url).port), "127.0.0.1");
  client.write("GET /exec HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: any\r\n\r\n");
  await arrived.promise;
  client.destroy();
  await once(tunnel, "close");
});

test("[HTTP10] a client that goes is noticed although nothing of what it sends is taken", async () => {
  const clock = new ManualClock();
  const left = Promise.withResolvers<void>();
  const noticed = new AbortController();
  const handle = async ({ headers }: ServerRequest): Promise<ApiResponse> =>
    webSocketResponse({ headers, clock }, ["any"], async (_socket, _protocol, gone) => {
      await once(gone, "abort");
      noticed.abort();
    });
  await using listener = await listen({ handle });
  const client = connect(Number(new URL(listener.url).port), "127.0.0.1");
  const offer = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\nSec-WebSocket-Protocol: any";
  client.write(`GET /exec HTTP/1.1\r\nHost: a\r\n${offer}\r\n\r\n`);
  await once(client, "data");
  client.write(new Uint8Array(32 * 1024 ** 2));
  client.once("close", left.resolve);
  client.destroy();
  await left.promise;
  while (!noticed.signal.aborted) {
    await clock.advance(5000);
    await new Promise(setImmediate);
  }
});
