import type { TransportResponse } from "@kaji/core";
import { isStream } from "../request/api-path.ts";
import { failedRequest } from "../transport-error.ts";
import { connectionError, networkFailure } from "./network-failure.ts";
import type { PoolOptions } from "./pool-options.ts";
import type { WireRequest } from "./request-head.ts";
import { RequestPool } from "./request-pool.ts";
import { StreamConnection } from "./stream-connection.ts";

/** Idle connections are closed before a server that closes them after 90 s, or a balancer after 60, could do so under a request. */
const keepAliveMs = 30_000;
const connectTimeoutMs = 30_000;
/** Further requests wait for a connection: more of them at once would not help an overloaded server. */
const requestConnections = 32;

/**
 * Connections to one server, shown one identity. What goes on for long has a connection of its own, so that a hundred watches do not keep a
 * request waiting.
 *
 * HTTP/1.1 by measurement: HTTP/2 in Node takes a third more time per byte, and its streams per connection are limited, so that the watch that is
 * one too many would wait for another to end.
 */
export class ConnectionPools {
  readonly #options: PoolOptions;
  readonly #requests: RequestPool;
  readonly #streams = new Set<StreamConnection>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#requests = new RequestPool(options, { connectMs: connectTimeoutMs, idleMs: keepAliveMs }, requestConnections);
  }

  /** Sends a request. Rejects when there is no answer; so does the body if it ends too soon. */
  send(request: WireRequest): Promise<TransportResponse> {
    return isStream(request.path) || request.isUpgrade ? this.#stream(request) : this.#requests.send(request);
  }

  /** Takes no more requests, and closes each connection when what is on it has ended. */
  async retire(): Promise<void> {
    await Promise.all([this.#requests.close(), ...[...this.#streams].map(({ ended }) => ended)]);
  }

  /** Lets requests complete, and ends streams at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stream of this.#streams) stream.destroy(connectionError("CLIENT_CLOSED"));
    await this.#requests.close();
  }

  async #stream(request: WireRequest): Promise<TransportResponse> {
    if (this.#isClosed) throw networkFailure(connectionError("CLIENT_CLOSED"), this.#options.server.origin, failedRequest(request));
    request.signal?.throwIfAborted();
    const stream = new StreamConnection(this.#options, connectTimeoutMs, request);
    this.#streams.add(stream);
    void stream.ended.then(() => this.#streams.delete(stream));
    return stream.response;
  }
}
