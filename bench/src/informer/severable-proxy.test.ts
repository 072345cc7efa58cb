import { equal } from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { SeverableProxy } from "./severable-proxy.ts";

test("a proxy passes bytes on as they are, drops every connection while it is cut, and passes on again when it is mended", async () => {
  const server = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  using _closed = { [Symbol.dispose]: () => server.close() };
  await using proxy = await SeverableProxy.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  const before = dial(proxy);
  equal(await echo(before, "one"), "one");
  const dropped = closed(before);
  proxy.cut();
  await dropped;
  await closed(dial(proxy));
  proxy.mend();
  equal(await echo(dial(proxy), "three"), "three");
  equal(proxy.passedBytes, "onethree".length);
});

function dial(proxy: SeverableProxy): Socket {
  return connect(Number(new URL(proxy.url).port), "127.0.0.1").on("error", () => {});
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.on("close", () => resolve()));
}

async function echo(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [answer] = (await once(socket, "data")) as [Buffer];
  return answer.toString();
}
