import type { TransportResponse } from "@kaji/core";
import { abortable } from "../connection/abortable.ts";
import { failedRequest } from "../transport-error.ts";
import type { PoolOptions } from "./connection-pools.ts";
import { networkFailure } from "./network-failure.ts";
import { RequestConnection } from "./request-connection.ts";
import type { ConnectionOwner, ConnectionTiming } from "./request-connection.ts";
import type { WireRequest } from "./request-head.ts";

/**
 * Connections to one server for requests whose answers end. A request takes the connection that was used last, so that those that are not needed rest
 * and close; it opens one if none rests, and waits its turn if there are as many as there may be.
 */
export class RequestPool {
  readonly #options: PoolOptions;
  readonly #timing: ConnectionTiming;
  readonly #limit: number;
  readonly #connections = new Set<RequestConnection>();
  /** Those of `#connections` that have nothing to do, used last at the end. */
  readonly #resting: RequestConnection[] = [];
  /** Those who wait for a connection, in their order. Empty while one rests. */
  readonly #waiting = new Set<PromiseWithResolvers<RequestConnection>>();
  readonly #owner: ConnectionOwner;
  #ended: PromiseWithResolvers<void> | undefined;

  constructor(options: PoolOptions, timing: ConnectionTiming, limit: number) {
    this.#options = options;
    this.#timing = timing;
    this.#limit = limit;
    this.#owner = { freed: (connection) => this.#freed(connection), closed: (connection) => this.#closed(connection) };
  }

  /** Sends a request. Rejects when there is no answer; so does its body if it ends too soon. */
  async send(request: WireRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    if (this.#ended !== undefined) throw networkFailure(closedError(), this.#options.server.origin, failedRequest(request));
    const connection = this.#resting.pop() ?? this.#open();
    return connection === undefined ? (await this.#turn(request.signal)).send(request) : connection.send(request);
  }

  /** Takes no more requests; resolves when all have ended. */
  close(): Promise<void> {
    if (this.#ended === undefined) {
      this.#ended = Promise.withResolvers<void>();
      for (const connection of this.#resting.splice(0)) connection.destroy(closedError());
      this.#settle();
    }
    return this.#ended.promise;
  }

  #open(): RequestConnection | undefined {
    if (this.#connections.size >= this.#limit) return undefined;
    const connection = new RequestConnection(this.#options, this.#timing, this.#owner);
    this.#connections.add(connection);
    return connection;
  }

  async #turn(signal: AbortSignal | undefined): Promise<RequestConnection> {
    const turn = Promise.withResolvers<RequestConnection>();
    this.#waiting.add(turn);
    try {
      return await abortable(turn.promise, signal);
    } catch (error) {
      // The turn may have come in the same moment.
      if (!this.#waiting.delete(turn)) void turn.promise.then((connection) => this.#freed(connection));
      throw error;
    }
  }

  #freed(connection: RequestConnection): void {
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      return next.resolve(connection);
    }
    if (this.#ended === undefined) this.#resting.push(connection);
    else connection.destroy(closedError());
  }

  #closed(connection: RequestConnection): void {
    this.#connections.delete(connection);
    const index = this.#resting.indexOf(connection);
    if (index >= 0) this.#resting.splice(index, 1);
    const [next] = this.#waiting;
    const another = next === undefined ? undefined : this.#open();
    if (next !== undefined && another !== undefined) {
      this.#waiting.delete(next);
      next.resolve(another);
    }
    this.#settle();
  }

  #settle(): void {
    if (this.#connections.size === 0) this.#ended?.resolve();
  }
}

/** Why a client that has been closed sends nothing. */
export function closedError(): Error {
  return Object.assign(new Error("the client has been closed"), { code: "CLIENT_CLOSED" });
}
