import { once } from "node:events";
import { createServer as createTcpServer } from "node:net";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import type { TLSSocket } from "node:tls";
import { errorMessage, systemClock } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { clientCertificates } from "@kaji/core/serving";
import { HttpExchange } from "./http-exchange.ts";
import type { RequestHandler } from "./http-exchange.ts";
import type { Wire } from "./wire.ts";
import { defaultLimits } from "./http-limits.ts";
import type { HttpLimits } from "./http-limits.ts";
import { createHttp1Server } from "./http1-wire.ts";
import { createHttp2Server } from "./http2-wire.ts";

/** Where and how a server is reached over the network. */
export interface ListenOptions {
  /** Default loopback: an embedded control plane is not for other machines unless told so. */
  readonly host?: string;
  /** Default any free port. */
  readonly port?: number;
  /** Without it the listener speaks plain HTTP/1.1, without any secrecy. */
  readonly tls?: TlsOptions;
  readonly limits?: Partial<HttpLimits>;
  readonly clock?: Clock;
}

/** The certificate a listener shows, and whose clients it believes. All in PEM. */
export interface TlsOptions {
  readonly key: string;
  readonly cert: string;
  /** Signs client certificates. Clients without one are welcome; they show who they are by other means, or not at all. */
  readonly clientCa?: string;
}

/** An open door. Disposing of it ends watches quietly, gives requests under way a moment to be answered, and closes it. */
export interface Listener extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** The address could not be listened on: it is in use, or not of this machine. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Opens a door to a server: HTTP/1.1, and with TLS also HTTP/2. */
export async function listen(handler: RequestHandler, options: ListenOptions = {}): Promise<Listener> {
  const { host = "127.0.0.1", port = 0, tls } = options;
  const door = new Door(handler, options);
  const bound = await door.open(host, port);
  return {
    url: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    [Symbol.asyncDispose]: () => door.close(),
  };
}

/** For clients to answer that a connection is over, before it is cut. */
const farewellMs = 500;

/** Accepts connections, hands each to the server of its version of HTTP, and sees all of them to their end. */
class Door {
  readonly #acceptor: Server;
  readonly #http1: ReturnType<typeof createHttp1Server>;
  /** Made for the first client that speaks it. */
  #http2: ReturnType<typeof createHttp2Server> | undefined;
  readonly #onExchange: (wire: Wire) => void;
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  /** TCP connections, TLS or not: what has to be closed in the end. */
  readonly #sockets = new Set<Socket>();
  /** HTTP/1.1 connections; with TLS they are not the TCP connections themselves. */
  readonly #http1Sockets = new Set<Socket>();
  readonly #exchanges = new Set<HttpExchange>();
  /** Called whenever an exchange or a connection is over, once the door is closing. */
  #onLess: (() => void) | undefined;

  constructor(handler: RequestHandler, { tls, limits = {}, clock = systemClock }: ListenOptions) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#clock = clock;
    const { stalledMs } = this.#limits;
    const context = { handler, clock, stalledMs, certificateOf: clientCertificates() };
    this.#onExchange = (wire) => this.#begin(new HttpExchange(wire, context));
    const isClosing = (): boolean => this.#onLess !== undefined;
    const isAnswering = (connection: Duplex): boolean => [...this.#exchanges].some((exchange) => exchange.isOn(connection));
    this.#http1 = createHttp1Server({ limits: this.#limits, isClosing, isAnswering }, this.#onExchange);
    this.#acceptor = tls === undefined ? createTcpServer(tcp, (socket) => this.#serveHttp1(socket)) : this.#createTlsAcceptor(tls);
    this.#acceptor.on("connection", (socket) => this.#track(this.#sockets, socket));
  }

  async open(host: string, port: number): Promise<number> {
    try {
      const listening = once(this.#acceptor, "listening");
      this.#acceptor.listen(port, host);
      await listening;
    } catch (error) {
      this.#http1.close();
      throw new ListenError(`cannot listen on ${host}:${port}: ${reasonOf(error)}`, { cause: error });
    }
    // A connection that could not be accepted is the loss of its client alone.
    this.#acceptor.on("error", () => {});
    const address = this.#acceptor.address();
    return typeof address === "object" && address !== null ? address.port : port;
  }

  async close(): Promise<void> {
    const closed = once(this.#acceptor, "close");
    this.#acceptor.close();
    this.#http1.close();
    for (const exchange of this.#exchanges) exchange.endLive();
    // HTTP/2 has a way to say that no more requests are wanted; its connections end with their last stream.
    this.#http2?.close();
    await this.#until(() => this.#exchanges.size === 0, this.#limits.graceMs);
    for (const socket of this.#http1Sockets) socket.end();
    await this.#until(() => this.#sockets.size === 0, farewellMs);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #createTlsAcceptor({ key, cert, clientCa }: TlsOptions): Server {
    const ca = clientCa === undefined ? {} : { ca: clientCa };
    const options = { ...tcp, key, cert, ...ca, requestCert: clientCa !== undefined, rejectUnauthorized: false, ALPNProtocols };
    return createTlsServer(options, (socket: TLSSocket) => {
      if (socket.alpnProtocol === "h2") this.#serveHttp2(socket);
      else this.#serveHttp1(socket);
    });
  }

  #serveHttp1(socket: Socket): void {
    this.#track(this.#http1Sockets, socket);
    this.#http1.emit("connection", socket);
  }

  #serveHttp2(socket: TLSSocket): void {
    this.#http2 ??= createHttp2Server(this.#limits, this.#clock, this.#onExchange);
    this.#http2.emit("connection", socket);
  }

  #track(sockets: Set<Socket>, socket: Socket): void {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      this.#onLess?.();
    });
  }

  #begin(exchange: HttpExchange): void {
    this.#exchanges.add(exchange);
    if (this.#onLess !== undefined) exchange.endLive();
    exchange.start(() => {
      this.#exchanges.delete(exchange);
      this.#onLess?.();
    });
  }

  /** Waits until it is so, but not for ever. */
  async #until(isSo: () => boolean, patienceMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#clock.timer(patienceMs, resolve);
      this.#onLess = () => {
        if (!isSo()) return;
        timer[Symbol.dispose]();
        resolve();
      };
      this.#onLess();
    });
  }
}

/** Clients that vanish without a word are noticed by the operating system; small answers are not held back. */
const tcp = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 };
const ALPNProtocols = ["h2", "http/1.1"];

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "not allowed to use this port",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "no such host",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? errorMessage(error);
}
