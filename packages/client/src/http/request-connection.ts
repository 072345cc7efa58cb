import type { Socket } from "node:net";
import type { TransportResponse } from "@kaji/core";
import { failedRequest } from "../transport-error.ts";
import type { PoolOptions } from "./connection-pools.ts";
import { networkFailure } from "./network-failure.ts";
import { openSocket } from "./open-socket.ts";
import { requestHead } from "./request-head.ts";
import type { WireRequest } from "./request-head.ts";
import { ResponseBody } from "./response-body.ts";
import { ResponseReader } from "./response-reader.ts";

/** Two TLS records. */
const readBytes = 32 * 1024;

/** Whoever gives a connection its requests. */
export interface ConnectionOwner {
  /** The connection has nothing to do. */
  freed(connection: RequestConnection): void;
  /** The connection takes no more requests. */
  closed(connection: RequestConnection): void;
}

/** How long a connection may take to come about, and to rest. */
export interface ConnectionTiming {
  readonly connectMs: number;
  readonly idleMs: number;
}

interface Exchange {
  readonly request: WireRequest;
  readonly reader: ResponseReader;
  readonly response: PromiseWithResolvers<TransportResponse>;
  readonly body: ResponseBody;
  readonly onAbort: () => void;
  hasAnswer: boolean;
}

/** A connection to a server for one request after the other. */
export class RequestConnection {
  readonly #options: PoolOptions;
  readonly #timing: ConnectionTiming;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafeSlow(readBytes);
  /** What is under way. */
  #exchange: Exchange | undefined;
  /** How long it may rest. */
  #idleMs: number;
  #isOpen = false;
  #isOver = false;

  constructor(options: PoolOptions, timing: ConnectionTiming, owner: ConnectionOwner) {
    this.#options = options;
    this.#timing = timing;
    this.#idleMs = timing.idleMs;
    this.#owner = owner;
    this.#socket = openSocket(options, { buffer: this.#buffer, callback: (length) => this.#read(length) });
    this.#socket.setNoDelay(true);
    this.#socket.setTimeout(timing.connectMs);
    this.#socket.on("timeout", () => this.#onTimeout());
    this.#socket.once(options.tls === undefined ? "connect" : "secureConnect", () => this.#onOpen());
    this.#socket.on("error", (error) => this.#end(error));
    this.#socket.on("close", () => this.#onClose());
  }

  /** Sends a request, while no other is under way. Rejects when there is no answer; so does its body if it ends too soon. */
  send(request: WireRequest): Promise<TransportResponse> {
    const response = Promise.withResolvers<TransportResponse>();
    const body = new ResponseBody({
      pause: () => this.#socket.pause(),
      resume: () => this.#socket.resume(),
      cancel: () => this.#end(new Error("nobody reads the answer any more")),
    });
    const exchange: Exchange = {
      request,
      reader: new ResponseReader(),
      response,
      body,
      onAbort: () => this.#abort(exchange),
      hasAnswer: false,
    };
    this.#exchange = exchange;
    request.signal?.addEventListener("abort", exchange.onAbort);
    if (this.#isOpen) {
      this.#socket.ref();
      this.#write(request);
    }
    return response.promise;
  }

  /** Closes it, whatever is still to come. */
  destroy(error: Error): void {
    this.#end(error);
  }

  #write(request: WireRequest): void {
    const { body } = request;
    try {
      const head = requestHead(this.#options, request, { isLast: false });
      if (body === undefined) this.#socket.write(head, "latin1");
      // In one piece, which goes into one record of TLS and one packet.
      else this.#socket.write(Buffer.concat([Buffer.from(head, "latin1"), body]));
    } catch (error) {
      this.#end(error);
    }
  }

  #onOpen(): void {
    this.#isOpen = true;
    this.#socket.setTimeout(this.#idleMs);
    this.#socket.setKeepAlive(true, this.#timing.idleMs);
    // Not before: what goes wrong with TLS would look as if writing had gone wrong.
    if (this.#exchange !== undefined) this.#write(this.#exchange.request);
  }

  #read(length: number): boolean {
    const exchange = this.#exchange;
    if (exchange === undefined) {
      // Nothing was asked, so this is no answer.
      this.#end(new Error("the server sent what nobody asked for"));
      return false;
    }
    try {
      const { reader, body } = exchange;
      const { start, end } = reader.read(this.#buffer, length);
      if (reader.head !== undefined && !exchange.hasAnswer) this.#answer(exchange);
      if (end > start) body.push(Buffer.from(this.#buffer.subarray(start, end)));
      if (reader.isDone || (exchange.hasAnswer && exchange.request.method === "HEAD")) this.#finish(exchange);
    } catch (error) {
      this.#end(error);
    }
    return !this.#isOver && (this.#exchange !== exchange || !exchange.body.isHeld);
  }

  #answer(exchange: Exchange): void {
    const { status = 0, headers = {} } = exchange.reader.head ?? {};
    exchange.hasAnswer = true;
    exchange.response.resolve({ status, headers, body: exchange.body });
  }

  #finish(exchange: Exchange): void {
    const headers = exchange.reader.head?.headers ?? {};
    this.#release(exchange);
    // What is left to read is no longer the matter of this connection.
    if (exchange.body.isHeld) this.#socket.resume();
    exchange.body.finish();
    const idleMs = exchange.reader.hasExcess ? 0 : restingTime(headers, this.#timing.idleMs);
    if (idleMs <= 0) return this.#end(new Error("the connection cannot be used again"));
    // Node counts from the last byte that went or came.
    if (idleMs !== this.#idleMs) this.#socket.setTimeout(idleMs);
    this.#idleMs = idleMs;
    // A program may end while connections rest.
    this.#socket.unref();
    this.#owner.freed(this);
  }

  #abort(exchange: Exchange): void {
    const reason: unknown = exchange.request.signal?.reason;
    this.#release(exchange);
    exchange.response.reject(reason);
    exchange.body.abort(reason);
    this.#end(new Error("the request was aborted"));
  }

  #onTimeout(): void {
    // An answer may take as long as it likes.
    if (this.#isOpen && this.#exchange !== undefined) return;
    this.#end(Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" }));
  }

  #onClose(): void {
    const exchange = this.#exchange;
    if (exchange?.reader.endsWithConnection === true) {
      this.#release(exchange);
      exchange.body.finish();
    }
    this.#end(Object.assign(new Error("the server closed the connection"), { code: "CLOSED_BY_SERVER" }));
  }

  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const exchange = this.#exchange;
    if (exchange !== undefined) {
      const failure = networkFailure(error, this.#options.server.origin, failedRequest(exchange.request));
      this.#release(exchange);
      exchange.response.reject(failure);
      exchange.body.fail(failure);
    }
    this.#socket.destroy();
    this.#owner.closed(this);
  }

  #release({ request, onAbort }: Exchange): void {
    this.#exchange = undefined;
    request.signal?.removeEventListener("abort", onAbort);
  }
}

/** A connection is closed a second before its server would do so, which may be at once. */
function restingTime(headers: Readonly<Record<string, string | readonly string[]>>, idleMs: number): number {
  if (/(?:^|,)\s*close\s*(?:,|$)/i.test(String(headers["connection"] ?? ""))) return 0;
  const seconds = /(?:^|[,\s])timeout=(\d+)/i.exec(String(headers["keep-alive"] ?? ""))?.[1];
  return seconds === undefined ? idleMs : Math.min(idleMs, Number(seconds) * 1000 - 1000);
}
