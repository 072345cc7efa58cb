import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** A proxy for tests. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  /** What it was asked to connect to. */
  readonly tunnels: readonly string[];
}

/** A proxy that leads to a port, whatever it is asked for, and tells what that was and by whom. */
export async function startProxy(port: number): Promise<TestProxy> {
  const tunnels: string[] = [];
  const proxy = createHttpServer();
  proxy.on("connect", (request, socket) => {
    tunnels.push(`${request.url} ${request.headers["proxy-authorization"]}`);
    const upstream = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://me:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    tunnels,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

/** A SOCKS proxy that lets everybody through to one port. What it says in one piece may come as several. */
export async function startSocks(port: number): Promise<TestProxy> {
  const tunnels: string[] = [];
  const proxy = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (opening) => {
      assert.deepEqual([...opening], [5, 1, 0]);
      socket.write(Buffer.from([5]));
      socket.write(Buffer.from([0]));
      socket.once("data", (request) => {
        const length = request[4] ?? 0;
        tunnels.push(`${request.toString("latin1", 5, 5 + length)}:${request.readUInt16BE(5 + length)}`);
        const upstream = connect(port, "127.0.0.1", () => {
          socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]));
          upstream.pipe(socket).pipe(upstream);
        });
        upstream.on("error", () => socket.destroy());
      });
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `socks5://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    tunnels,
    async [Symbol.asyncDispose]() {
      proxy.close();
      await once(proxy, "close");
    },
  };
}
