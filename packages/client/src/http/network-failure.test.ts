import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import type { Transport, TransportResponse } from "@kaji/core";
import { startHttpServer } from "../testing/http-server.ts";
import { TransportError } from "../transport-error.ts";
import type { TransportFailure } from "../transport-error.ts";
import { httpTransport } from "./http-transport.ts";

/** Asks for a path on a new connection, whose socket is shown before it connects. */
function get(transport: Transport, path: string, onSocket: (socket: Socket) => void): Promise<TransportResponse> {
  const listener = (message: unknown): void => onSocket((message as { readonly socket: Socket }).socket);
  subscribe("net.client.socket", listener);
  try {
    return transport({ method: "GET", path, headers: {} });
  } finally {
    unsubscribe("net.client.socket", listener);
  }
}

/** What the system says of a connection. */
const systemError = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

const isFailure =
  (reason: TransportFailure) =>
  (error: unknown): boolean =>
    error instanceof TransportError && error.reason === reason;

test("[HTTP18] a connection that is lost without a word from the server is interrupted, since the request was sent", async () => {
  let client: Socket | undefined;
  let code = "";
  await using server = await startHttpServer(() => client?.destroy(systemError(code)));
  await using transport = httpTransport({ server: server.url }, { environment: {} });
  for (code of ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]) {
    for (const path of ["/", "/?watch=true"])
      await assert.rejects(
        get(transport, path, (socket) => (client = socket)),
        isFailure("Interrupted"),
        code + path,
      );
  }
});

test("[HTTP17] a connection that cannot be made is unreachable, whatever the system says of it", async () => {
  await using transport = httpTransport({ server: "http://127.0.0.1:1" }, { environment: {} });
  // The last two: where the ports of this machine are used up, or it may not connect.
  for (const code of ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EPERM"]) {
    for (const path of ["/", "/?watch=true"])
      await assert.rejects(
        get(transport, path, (socket) => socket.destroy(systemError(code))),
        isFailure("Unreachable"),
        code + path,
      );
  }
});

test("[HTTP18] a connection that breaks while it is being made is interrupted too, so that a read is repeated", async () => {
  const server = createServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await using transport = httpTransport({ server: `https://127.0.0.1:${port}` }, { environment: {} });
  for (const path of ["/", "/?watch=true"])
    await assert.rejects(transport({ method: "GET", path, headers: {} }), isFailure("Interrupted"), path);
  server.close();
});
