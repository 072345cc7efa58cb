import { connect } from "node:net";
import type { OnReadOpts, Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { errorMessage } from "@kaji/core";
import { connectGreeting } from "./connect-greeting.ts";
import type { ProxyGreeting } from "./proxy-greeting.ts";
import { isSocks } from "./proxy-url.ts";
import { SocksGreeting } from "./socks-greeting.ts";
import { hostOf, namedHost } from "./tls-host.ts";

const usualPorts: ReadonlyMap<string, number> = new Map([
  ["https:", 443],
  ["socks5:", 1080],
  ["socks5h:", 1080],
]);

/** Begins to connect to where a URL says. */
export function connectUrl(url: URL, onread?: OnReadOpts): Socket {
  const host = hostOf(url);
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (usualPorts.get(url.protocol) ?? 80) : Number(url.port);
  const reading = onread === undefined ? {} : { onread };
  return isTls
    ? connectTls({ host, port, ...namedHost(host), ALPNProtocols: ["http/1.1"], ...reading })
    : connect({ host, port, ...reading });
}

/**
 * Bytes to and from a server behind a proxy. The proxy is asked to connect first; what is written meanwhile waits. When the other side has closed, all that has arrived can still be read, and what is
 * written is lost.
 */
export class ProxyTunnel extends Duplex {
  readonly #socket: Socket;
  /** Undefined once the tunnel is open. */
  #greeting: ProxyGreeting | undefined;
  /** What the proxy has said, and nobody has read. */
  #said: Buffer = Buffer.alloc(0);
  /** Continues with what was written before the tunnel was open. */
  #onOpen: (() => void) | undefined;

  constructor(proxy: URL, server: URL) {
    super();
    this.#greeting = isSocks(proxy) ? new SocksGreeting(proxy, server) : connectGreeting(proxy, server);
    this.#socket = connectUrl(proxy);
    this.#socket.on("error", (error) => this.destroy(error));
    this.#socket.on("close", () => this.#closed());
    this.#socket.on("end", () => this.#greeting === undefined && this.push(null));
    this.#socket.on("data", (piece: Buffer) => this.#arrived(piece));
    this.#socket.write(this.#greeting.opening);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.#socket.writable) done();
    else if (this.#greeting === undefined) this.#socket.write(piece, done);
    else this.#onOpen = () => this.#socket.write(piece, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #arrived(piece: Buffer): void {
    if (this.#greeting !== undefined) return this.#greet(this.#greeting, piece);
    if (!this.push(piece)) this.#socket.pause();
  }

  #greet(greeting: ProxyGreeting, piece: Buffer): void {
    this.#said = Buffer.concat([this.#said, piece]);
    try {
      for (let step = greeting.answer(this.#said); step !== undefined; step = greeting.answer(this.#said)) {
        this.#said = this.#said.subarray(step.read);
        if (step.say === undefined) return this.#open();
        this.#socket.write(step.say);
      }
    } catch (error) {
      this.destroy(refusal(errorMessage(error)));
    }
  }

  #open(): void {
    this.#greeting = undefined;
    if (this.#said.byteLength > 0) this.push(this.#said);
    this.#onOpen?.();
  }

  #closed(): void {
    if (this.#greeting !== undefined) this.destroy(refusal("the proxy ended the connection"));
    else if (!this.#socket.readableEnded) this.destroy();
  }
}

function refusal(message: string): Error {
  return Object.assign(new Error(message), { code: "PROXY_REFUSED" });
}
