import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** Passes bytes between clients and a server as they are, and can be cut, as a network is. */
export class SeverableProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: URL;
  /** Both ends of every connection. */
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #passedBytes = 0;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  /** Begins to listen on the server's behalf. */
  static async open(target: string): Promise<SeverableProxy> {
    const proxy = new SeverableProxy(new URL(target));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** Where the server is reached through it, under the same host name. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#target.protocol}//${this.#target.hostname}:${port}`;
  }

  /** How much has come from the server so far. */
  get passedBytes(): number {
    return this.#passedBytes;
  }

  /** Drops every connection, and each new one at once. */
  cut(): void {
    this.#isCut = true;
    this.#dropAll();
  }

  mend(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }

  #accept(client: Socket): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.#target.port), this.#target.hostname);
    server.on("data", (bytes) => (this.#passedBytes += bytes.length));
    this.#join(client, server);
    this.#join(server, client);
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on("error", () => {});
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }

  #dropAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }
}
