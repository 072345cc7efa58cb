import type { Socket } from "node:net";
import { sinkOf, systemClock } from "@kaji/core";
import type { TransportResponse } from "@kaji/core";
import type { PoolOptions } from "./pool-options.ts";
import { Exchange } from "./exchange.ts";
import { connectionError } from "./network-failure.ts";
import { openSocket } from "./open-socket.ts";
import { PieceBuffers } from "./piece-buffers.ts";
import { ReadPace } from "./read-pace.ts";
import { wayTo } from "./proxy-url.ts";
import { requestHead } from "./request-head.ts";
import type { WireRequest } from "./request-head.ts";

/**
 * A connection for one request whose response goes on: a watch, a log that is followed, or another protocol.
 *
 * The bytes of the response are read into the same memory again and again, and lent to the reader of the body where they are, all that arrived together as one piece: an event
 * costs no garbage. `npm run bench -- transport` says what that saves beside undici.
 *
 * Nothing is gained by reading what happens less often: of the 120 µs that an event takes at a few hundred a second, two thirds are caches that have gone cold since the one before. By measurement a
 * pause of 10 ms between reads saved a sixth of that, one of 30 ms half, and each event would be late by half the pause.
 */
export class StreamConnection {
  /** Settles when the connection is closed, whatever the reason. */
  readonly ended: Promise<void>;
  readonly #ended = Promise.withResolvers<void>();
  readonly #exchange: Exchange;
  readonly #socket: Socket;
  readonly #buffers = new PieceBuffers();
  #room = this.#buffers.room();
  /** What arrives on a socket does so in real time, whatever clock the rest of a program goes by. */
  readonly #pace = new ReadPace(systemClock);
  #arrivedBytes = 0;
  /** Comes when all that has arrived is read. */
  #turn: NodeJS.Immediate | undefined;
  #rest: Disposable | undefined;

  constructor(options: PoolOptions, connectTimeoutMs: number, request: WireRequest) {
    this.ended = this.#ended.promise;
    const head = requestHead(options, request, { isLast: true });
    this.#socket = openSocket(options, { buffer: () => (this.#room = this.#buffers.room()), callback: (length) => this.#read(length) });
    this.#socket.setTimeout(connectTimeoutMs, () => this.destroy(connectionError("ETIMEDOUT")));
    this.#socket.setKeepAlive(true, connectTimeoutMs);
    this.#socket.once(options.tls === undefined ? "connect" : "secureConnect", () => {
      this.#socket.setTimeout(0);
      this.#exchange.sent();
      this.#socket.write(head, "latin1");
    });
    this.#socket.on("error", (error) => this.destroy(error));
    this.#socket.on("close", () => this.#onClose());
    this.#exchange = new Exchange(request, {
      way: wayTo(options),
      pause: () => this.#socket.pause(),
      resume: () => this.#resume(),
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
    this.#pass();
    this.#exchange.fail(error);
    this.#release();
  }

  #read(length: number): boolean {
    const exchange = this.#exchange;
    this.#arrivedBytes += length;
    this.#turn ??= setImmediate(() => this.#onTurn());
    try {
      const { start, end } = exchange.read(this.#room, length);
      this.#buffers.arrived(start, end);
      if (exchange.isComplete) this.#finish();
      else if (this.#buffers.isFull) this.#pass();
    } catch (error) {
      this.destroy(error);
    }
    return !exchange.isOver && !exchange.body.isHeld;
  }

  #onTurn(): void {
    this.#turn = undefined;
    this.#pass();
    const restMs = this.#pace.restAfter(this.#arrivedBytes);
    this.#arrivedBytes = 0;
    const { isOver, reader, body } = this.#exchange;
    if (restMs === 0 || isOver || reader.isUpgraded || body.isHeld || this.#rest !== undefined) return;
    this.#socket.pause();
    this.#rest = systemClock.timer(restMs, () => {
      this.#rest = undefined;
      if (!body.isHeld) this.#socket.resume();
    });
  }

  #resume(): void {
    if (this.#rest === undefined) this.#socket.resume();
  }

  /** Gives the reader what has arrived. */
  #pass(): void {
    const { reader, body, isOver } = this.#exchange;
    const piece = this.#buffers.take();
    if (isOver || piece.length === 0) return;
    // The client collects the pieces of a refusal before it reads them, so they must not be lent.
    if (reader.isSuccess && body.hand(piece)) this.#buffers.lend();
    else body.push(Buffer.from(piece));
  }

  #onClose(): void {
    this.#pass();
    this.#exchange.closed();
    this.#release();
  }

  #finish(): void {
    this.#pass();
    this.#exchange.finish();
    this.#release();
  }

  #release(): void {
    clearImmediate(this.#turn);
    this.#rest?.[Symbol.dispose]();
    this.#socket.destroy();
    this.#ended.resolve();
  }
}
