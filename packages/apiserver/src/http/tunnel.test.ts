import { once } from "node:events";
import { connect } from "node:net";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import type { ServerRequest } from "../api-server.ts";
import type { ApiResponse } from "../response/api-response.ts";
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
