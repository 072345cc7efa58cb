import { abortable } from "@kaji/core";
import type { TransportResponse } from "@kaji/core";
import { failedRequest } from "../transport-error.ts";
import type { PoolOptions } from "./pool-options.ts";
import { connectionError, networkFailure } from "./network-failure.ts";
import { RequestConnection } from "./request-connection.ts";
import type { ConnectionOwner, ConnectionTiming } from "./request-connection.ts";
import type { WireRequest } from "./request-head.ts";

/**
 * Connections to one server for requests whose answers end. A request takes the connection that was used last, so that those that are not needed idle
 * and close; it opens one if none is idle, and waits its turn if the limit is reached.
 */
export class RequestPool {
  readonly #options: PoolOptions;
  readonly #timing: ConnectionTiming;
  readonly #limit: number;
  readonly #connections = new Set<RequestConnection>();
  /** Those of `#connections` that are idle, used last at the end. */
  readonly #idle: RequestConnection[] = [];
  /** Requests that wait for a connection, in order. Empty while one is idle. */
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
  send(request: WireRequest): Promise<TransportResponse> {
    if (request.signal?.aborted === true) return Promise.reject(request.signal.reason);
    if (this.#ended !== undefined)
      return Promise.reject(networkFailure(connectionError("CLIENT_CLOSED"), this.#options.server.origin, failedRequest(request)));
    return this.#sendNext(request);
  }

  /** Takes no more requests; resolves when all have ended. */
  close(): Promise<void> {
    if (this.#ended === undefined) {
      this.#ended = Promise.withResolvers<void>();
      for (const connection of this.#idle.splice(0)) connection.destroy(connectionError("CLIENT_CLOSED"));
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

  /** Sends a request on the next connection that there is or may be. */
  #sendNext(request: WireRequest): Promise<TransportResponse> {
    const connection = this.#idle.pop() ?? this.#open();
    return connection === undefined ? this.#sendInTurn(request) : connection.send(request);
  }

  async #sendInTurn(request: WireRequest): Promise<TransportResponse> {
    const connection = await this.#turn(request.signal);
    // It may have been aborted between its turn and now, and the exchange would not hear of it.
    if (request.signal?.aborted === true) this.#freed(connection);
    request.signal?.throwIfAborted();
    // So may the connection have ended.
    return connection.isOver ? this.#sendNext(request) : connection.send(request);
  }

  async #turn(signal: AbortSignal | undefined): Promise<RequestConnection> {
    const turn = Promise.withResolvers<RequestConnection>();
    this.#waiting.add(turn);
    try {
      return await abortable(turn.promise, signal);
    } catch (error) {
      // A connection may have been assigned to it in the meantime, and must not be lost.
      if (!this.#waiting.delete(turn)) void turn.promise.then((connection) => this.#freed(connection));
      throw error;
    }
  }

  #freed(connection: RequestConnection): void {
    if (connection.isOver) return;
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      return next.resolve(connection);
    }
    if (this.#ended === undefined) this.#idle.push(connection);
    else connection.destroy(connectionError("CLIENT_CLOSED"));
  }

  #closed(connection: RequestConnection): void {
    this.#connections.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
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
