import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { ProxyTunnel } from "./proxy-tunnel.ts";

test("[HTTP20] what came through a proxy can be read when the other side has long closed, and what is written then is lost", async () => {
  await using proxy = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const tunnel = new ProxyTunnel(new URL(`http://127.0.0.1:${port}`), new URL("https://example.com"));
  const [near] = await once(proxy, "connection");
  await once(near, "close");
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  await new Promise((taken) => tunnel.write("too late", taken));
  assert.equal(await text(tunnel), "all of it");
  tunnel.destroy();
});
