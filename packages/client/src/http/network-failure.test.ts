import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { test } from "node:test";
import { startHttpServer } from "../testing/http-server.ts";
import { TransportError } from "../transport-error.ts";
import { httpTransport } from "./http-transport.ts";

test("[HTTP18] a connection that is lost without a word from the server is interrupted, since the request was sent", async (t) => {
  const sockets: Socket[] = [];
  const onSocket = (message: unknown): void => void sockets.push((message as { readonly socket: Socket }).socket);
  subscribe("net.client.socket", onSocket);
  t.after(() => unsubscribe("net.client.socket", onSocket));
  // What the system says of a connection on which nothing is acknowledged any more.
  const lost = ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"].map((code) => Object.assign(new Error(`read ${code}`), { code }));
  await using server = await startHttpServer((request) => {
    const client = sockets.find(({ localPort }) => localPort === request.socket.remotePort);
    client?.destroy(lost.find(({ code }) => request.url?.includes(code)));
  });
  await using transport = httpTransport({ server: server.url }, { environment: {} });
  for (const { code } of lost) {
    for (const path of [`/${code}`, `/${code}?watch=true`]) {
      const isInterrupted = (error: unknown): boolean => error instanceof TransportError && error.reason === "Interrupted";
      await assert.rejects(transport({ method: "GET", path, headers: {} }), isInterrupted, path);
    }
  }
});
