import type { ByteSink } from "./byte-sink.ts";

/**
 * Carries one request to an API server and brings the response back.
 *
 * The one interface between client and server: over the network it is an HTTP client, inside one process a call into the
 * server's handler. It rejects only when there is no answer; a refusal by the server is a response with its status.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** A request as an HTTP client would send it. */
export interface TransportRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** Path and query, encoded, such as `/api/v1/pods?watch=true`. */
  readonly path: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Aborting ends the request, and the response's body if it has begun. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer: status and headers at once, the body as it comes. A watch is a response whose body goes on. */
export interface TransportResponse {
  readonly status: number;
  /** Names are in lower case. A header sent several times is an array. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Of a body that goes on, a piece is valid until the next is asked for: whoever keeps one, copies it. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The way to the server, where both sides have agreed on another protocol (status 101); `body` is the way back. */
  readonly upstream?: ByteSink | undefined;
}
