import type { Socket } from "node:net";
import type { TransportResponse } from "@kaji/core";
import type { PoolOptions } from "./pool-options.ts";
import { Exchange } from "./exchange.ts";
import type { ExchangeConnection } from "./exchange.ts";
import { connectionError } from "./network-failure.ts";
import { openSocket } from "./open-socket.ts";
import { wayTo } from "./proxy-url.ts";
import { requestHead } from "./request-head.ts";
import type { WireRequest } from "./request-head.ts";

/** Two TLS records. */
const readBytes = 32 * 1024;

/** The pool that gives a connection its requests. */
export interface ConnectionOwner {
  /** The connection is idle. */
  freed(connection: RequestConnection): void;
  /** The connection takes no more requests. */
  closed(connection: RequestConnection): void;
}

/** How long a connection may take to be established, and may be idle. */
export interface ConnectionTiming {
  readonly connectMs: number;
  readonly idleMs: number;
}

/** A connection to a server for one request after the other. */
export class RequestConnection {
  readonly #options: PoolOptions;
  readonly #timing: ConnectionTiming;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafeSlow(readBytes);
  /** This connection as its exchanges see it. */
  readonly #asSeen: ExchangeConnection;
  /** Undefined while idle. */
  #exchange: Exchange | undefined;
  /** How long it may be idle. */
  #idleMs: number;
  #state: "Connecting" | "Open" | "Over" = "Connecting";

  constructor(options: PoolOptions, timing: ConnectionTiming, owner: ConnectionOwner) {
    this.#options = options;
    this.#timing = timing;
    this.#idleMs = timing.idleMs;
    this.#owner = owner;
    this.#socket = openSocket(options, { buffer: this.#buffer, callback: (length) => this.#read(length) });
    this.#asSeen = {
      way: wayTo(options),
      pause: () => this.#socket.pause(),
      resume: () => this.#socket.resume(),
      drop: (error) => this.#end(error),
    };
    this.#socket.setNoDelay(true);
    this.#socket.setTimeout(timing.connectMs);
    this.#socket.on("timeout", () => this.#onTimeout());
    this.#socket.once(options.tls === undefined ? "connect" : "secureConnect", () => this.#onOpen());
    this.#socket.on("error", (error) => this.#end(error));
    this.#socket.on("end", () => this.#onServerEnd());
    this.#socket.on("close", () => this.#onClose());
  }

  /** Whether it takes no more requests. */
  get isOver(): boolean {
    return this.#state === "Over";
  }

  /** Sends a request, while no other is under way. Rejects when there is no answer; so does its body if it ends too soon. */
  send(request: WireRequest): Promise<TransportResponse> {
    const exchange = new Exchange(request, this.#asSeen);
    // It may have ended after it was given to the request: nothing was sent, and nothing will come.
    if (this.#state === "Over") exchange.fail(connectionError("CLOSED_BY_SERVER"));
    else this.#exchange = exchange;
    if (this.#state === "Open") {
      this.#socket.ref();
      this.#write(exchange);
    }
    return exchange.response;
  }

  /** Closes it, whatever is still to come. */
  destroy(error: Error): void {
    this.#end(error);
  }

  #write(exchange: Exchange): void {
    const { body } = exchange.request;
    const head = requestHead(this.#options, exchange.request, { isLast: false });
    exchange.sent();
    if (body === undefined) this.#socket.write(head, "latin1");
    // In one piece, which goes into one record of TLS and one packet.
    else this.#socket.write(inOnePiece(head, body));
  }

  #onOpen(): void {
    if (this.#state === "Over") return;
    this.#state = "Open";
    this.#socket.setTimeout(this.#idleMs);
    this.#socket.setKeepAlive(true, this.#timing.idleMs);
    // Not before: what goes wrong with TLS would look as if writing had gone wrong.
    if (this.#exchange !== undefined) this.#write(this.#exchange);
  }

  #read(length: number): boolean {
    const exchange = this.#exchange;
    if (exchange === undefined) {
      this.#end(new Error("the server sent data that belongs to no request"));
      return false;
    }
    try {
      const { start, end } = exchange.read(this.#buffer, length);
      if (end > start) exchange.body.push(Buffer.from(this.#buffer.subarray(start, end)));
      if (exchange.isComplete) this.#finish(exchange);
    } catch (error) {
      this.#end(error);
    }
    return this.#state !== "Over" && (this.#exchange !== exchange || !exchange.body.isHeld);
  }

  #finish(exchange: Exchange): void {
    const headers = exchange.reader.head?.headers ?? {};
    this.#exchange = undefined;
    // All of this body has arrived: a slow reader of it must not hold back the next response.
    if (exchange.body.isHeld) this.#socket.resume();
    exchange.finish();
    const idleMs = exchange.reader.hasExcess ? 0 : idleTime(headers, this.#timing.idleMs);
    if (idleMs <= 0) return this.#end(new Error("the connection cannot be reused"));
    // Node counts from the last byte that went or came.
    if (idleMs !== this.#idleMs) this.#socket.setTimeout(idleMs);
    this.#idleMs = idleMs;
    // Idle connections do not keep the process alive.
    this.#socket.unref();
    this.#owner.freed(this);
  }

  #onTimeout(): void {
    // How long a response may take is decided by the signal of its request.
    if (this.#state === "Open" && this.#exchange !== undefined) return;
    this.#end(connectionError("ETIMEDOUT"));
  }

  /** Until it is closed, which takes some turns more, it would still be given requests, and could send none. */
  #onServerEnd(): void {
    if (this.#exchange === undefined) this.#end(connectionError("CLOSED_BY_SERVER"));
  }

  #onClose(): void {
    this.#exchange?.closed();
    this.#end(connectionError("CLOSED_BY_SERVER"));
  }

  #end(error: unknown): void {
    if (this.#state === "Over") return;
    this.#state = "Over";
    this.#exchange?.fail(error);
    this.#exchange = undefined;
    this.#socket.destroy();
    this.#owner.closed(this);
  }
}

function inOnePiece(head: string, body: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + body.byteLength);
  bytes.write(head, "latin1");
  bytes.set(body, head.length);
  return bytes;
}

/** How long a connection may be idle after a response: a second less than its server allows, so that the server never closes it under a request. */
function idleTime(headers: Readonly<Record<string, string | readonly string[]>>, idleMs: number): number {
  const { connection, "keep-alive": keepAlive } = headers;
  if (connection !== undefined && /(?:^|,)\s*close\s*(?:,|$)/i.test(String(connection))) return 0;
  const seconds = keepAlive === undefined ? undefined : /(?:^|[,\s])timeout=(\d+)/i.exec(String(keepAlive))?.[1];
  return seconds === undefined ? idleMs : Math.min(idleMs, Number(seconds) * 1000 - 1000);
}
