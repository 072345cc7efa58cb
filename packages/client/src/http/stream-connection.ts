import type { Socket } from "node:net";
import { sinkOf } from "@kaji/core";
import type { TransportResponse } from "@kaji/core";
import type { PoolOptions } from "./connection-pools.ts";
import { Exchange } from "./exchange.ts";
import { connectionError } from "./network-failure.ts";
import { openSocket } from "./open-socket.ts";
import { requestHead } from "./request-head.ts";
import type { WireRequest } from "./request-head.ts";

/** More than a TLS record holds, so that the reader of the body is woken once for each. */
const readBytes = 64 * 1024;

/**
 * A connection for one request whose response goes on: a watch, a log that is followed, or another protocol.
 *
 * The bytes of the response are read into the same two buffers again and again, and lent to the reader of the body where they are: an event
 * costs no garbage. `npm run bench -- transport` says what that saves beside undici.
 *
 * Nothing is gained by reading less often: of the 120 µs that an event takes at a few hundred a second, two thirds are caches that have gone cold since the one before. By measurement a
 * pause of 10 ms between reads saved a sixth of that, one of 30 ms half, and each event would be late by half the pause.
 */
export class StreamConnection {
  /** Settles when the connection is closed, whatever the reason. */
  readonly ended: Promise<void>;
  readonly #ended = Promise.withResolvers<void>();
  readonly #exchange: Exchange;
  readonly #socket: Socket;
  /** What arrives goes to the first. When a piece of it has been lent to the reader of the body, the two change places. */
  #buffers: readonly [Buffer, Buffer] = [Buffer.allocUnsafeSlow(readBytes), Buffer.allocUnsafeSlow(readBytes)];

  constructor(options: PoolOptions, connectTimeoutMs: number, request: WireRequest) {
    this.ended = this.#ended.promise;
    const head = requestHead(options, request, { isLast: true });
    this.#socket = openSocket(options, { buffer: () => this.#buffers[0], callback: (length) => this.#read(length) });
    this.#socket.setTimeout(connectTimeoutMs, () => this.destroy(connectionError("ETIMEDOUT")));
    this.#socket.setKeepAlive(true, connectTimeoutMs);
    this.#socket.once(options.tls === undefined ? "connect" : "secureConnect", () => {
      this.#socket.setTimeout(0);
      this.#socket.write(head, "latin1");
    });
    this.#socket.on("error", (error) => this.destroy(error));
    this.#socket.on("close", () => this.#onClose());
    this.#exchange = new Exchange(request, {
      origin: options.server.origin,
      pause: () => this.#socket.pause(),
      resume: () => this.#socket.resume(),
      drop: (error) => this.destroy(error),
      upstream: sinkOf(this.#socket),
    });
  }

  /** Resolves when the response has begun. Rejects when there is none; so does its body if it ends too soon. */
  get response(): Promise<TransportResponse> {
    return this.#exchange.response;
  }

  /** Closes it, whatever is still to come. */
  destroy(error: unknown): void {
    this.#exchange.fail(error);
    this.#release();
  }

  #read(length: number): boolean {
    const exchange = this.#exchange;
    const [bytes] = this.#buffers;
    try {
      const { start, end } = exchange.read(bytes, length);
      if (end > start) this.#pass(bytes, start, end);
      if (exchange.isComplete) this.#finish();
    } catch (error) {
      this.destroy(error);
    }
    return !exchange.isOver && !exchange.body.isHeld;
  }

  #pass(bytes: Buffer, start: number, end: number): void {
    const { reader, body } = this.#exchange;
    const [first, second] = this.#buffers;
    // The client collects the pieces of a refusal before it reads them, so they must not be lent.
    const isLent = reader.isSuccess && body.hand(bytes.subarray(start, end));
    if (isLent) this.#buffers = [second, first];
    else body.push(Buffer.from(bytes.subarray(start, end)));
  }

  #onClose(): void {
    this.#exchange.closed();
    this.#release();
  }

  #finish(): void {
    this.#exchange.finish();
    this.#release();
  }

  #release(): void {
    this.#socket.destroy();
    this.#ended.resolve();
  }
}
