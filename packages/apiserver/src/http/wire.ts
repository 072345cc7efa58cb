import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Duplex, Readable, Writable } from "node:stream";

/** One request as it came over a connection, and the way back: the same for both versions of HTTP. */
export interface Wire {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly socket: Socket | undefined;
  readonly input: Readable;
  /** The body of the response. It closes when the exchange is over, one way or the other. */
  readonly output: Writable;
  /** Sends the status and the headers, before anything is written to `output`. */
  sendHead(status: number, headers: OutgoingHttpHeaders): void;
  /** Gives the connection away after the head, where the client has asked to go on in another protocol. */
  readonly takeConnection?: () => Duplex;
}
