import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import { isStream } from "../api-path.ts";
import { UndiciPool } from "./undici-pool.ts";

/** What the connections of a pool have in common. */
export interface PoolOptions {
  readonly server: URL;
  /** Undefined for an `http:` server. */
  readonly tls:
    | { readonly secureContext: SecureContext; readonly servername: string | undefined; readonly isVerified: boolean }
    | undefined;
  readonly proxyUrl: string | undefined;
}

/** Idle connections are closed before a server that closes them after 90 s, or a balancer after 60, could do so under a request. */
const keepAliveMs = 30_000;
const connectTimeoutMs = 30_000;
/** More requests wait for a connection: a server far behind its work is not helped by more. */
const requestConnections = 32;

/**
 * Connections to one server, shown one identity. What goes on for long has connections of its own, as many as it needs, so that
 * a hundred watches do not keep a request waiting.
 *
 * HTTP/1.1 by measurement: HTTP/2 in Node takes a third more time per byte, and its streams per connection are limited, so that the watch that is
 * one too many would wait for another to end.
 */
export class ConnectionPools {
  readonly #requests: Dispatcher;
  readonly #streams: Dispatcher;
  #requestsClosed: Promise<void> | undefined;

  private constructor(requests: Dispatcher, streams: Dispatcher) {
    this.#requests = requests;
    this.#streams = streams;
  }

  static async open(options: PoolOptions): Promise<ConnectionPools> {
    return new ConnectionPools(await openPool(options, requestConnections), await openPool(options, null));
  }

  /** The connections for a request to this path. */
  for(path: string): Dispatcher {
    return isStream(path) ? this.#streams : this.#requests;
  }

  /** Takes no more requests, and closes each connection when what is on it has ended. */
  async retire(): Promise<void> {
    await Promise.all([this.#closeRequests(), this.#streams.close()]);
  }

  /** Lets requests end, and streams not. */
  async close(): Promise<void> {
    await Promise.all([this.#closeRequests(), this.#streams.destroy()]);
  }

  /** Once: undici refuses to close what has been closed. */
  #closeRequests(): Promise<void> {
    this.#requestsClosed ??= this.#requests.close();
    return this.#requestsClosed;
  }
}

async function openPool({ server, tls, proxyUrl }: PoolOptions, connections: number | null): Promise<Dispatcher> {
  const { secureContext, servername, isVerified = true } = tls ?? {};
  const connect = {
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    rejectUnauthorized: isVerified,
    ...(secureContext === undefined ? {} : { secureContext }),
    ...(servername === undefined ? {} : { servername }),
  };
  const options = { allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: keepAliveMs, connections };
  if (proxyUrl === undefined) return new UndiciPool(server.origin, { ...options, connect });
  const { ProxyAgent } = await import("undici");
  return new ProxyAgent({ ...options, uri: proxyUrl, requestTls: connect });
}
