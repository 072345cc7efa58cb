import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** A way to a server that can be cut: bytes go through as they are, until somebody cuts them off. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Whether connections are refused. */
  isDown = false;
  /** How many connections have come so far. */
  accepted = 0;

  private constructor(target: URL) {
    this.#server = createServer((incoming) => this.#pass(incoming, connect({ host: target.hostname, port: Number(target.port) })));
  }

  static async start(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(target));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The server as seen through here. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many connections go through. */
  get connections(): number {
    return this.#sockets.size / 2;
  }

  /** Ends all connections in order, or by a reset. */
  cut(how: "close" | "reset"): void {
    for (const socket of this.#sockets) {
      if (how === "close") socket.end();
      else socket.resetAndDestroy();
    }
  }

  /** Lets no byte through on the connections there are, and leaves them open: to both sides it looks as if the other had nothing to say. */
  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  #pass(incoming: Socket, outgoing: Socket): void {
    this.accepted++;
    for (const socket of [incoming, outgoing]) {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      // Whatever ends one side ends the other.
      socket.on("error", () => undefined);
    }
    incoming.on("close", () => outgoing.destroy());
    outgoing.on("close", () => incoming.destroy());
    if (this.isDown) return void incoming.resetAndDestroy();
    incoming.pipe(outgoing);
    outgoing.pipe(incoming);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDown = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}
