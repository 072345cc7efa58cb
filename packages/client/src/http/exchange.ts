import type { ByteSink, TransportResponse } from "@kaji/core";
import { failedRequest } from "../transport-error.ts";
import { connectionError, networkFailure } from "./network-failure.ts";
import type { WireRequest } from "./request-head.ts";
import { ResponseBody } from "./response-body.ts";
import type { BodySender } from "./response-body.ts";
import { ResponseReader } from "./response-reader.ts";

/** The connection that an exchange takes place on. Dropping it closes it: the rest of the response is not wanted. */
export interface ExchangeConnection extends BodySender {
  /** What error messages say of where it leads. */
  readonly way: string;
  /** Where bytes go once the server has agreed on another protocol. Only a connection that was made for one request has it. */
  readonly upstream?: ByteSink;
}

/** One request and its response, from the bytes of a connection to the reader of the body. Once it is over, nothing changes how it ended. */
export class Exchange {
  readonly request: WireRequest;
  readonly reader: ResponseReader;
  readonly body: ResponseBody;
  readonly #connection: ExchangeConnection;
  readonly #response = Promise.withResolvers<TransportResponse>();
  #wasSent = false;
  #hasResponse = false;
  #isOver = false;

  constructor(request: WireRequest, connection: ExchangeConnection) {
    this.request = request;
    this.#connection = connection;
    this.reader = new ResponseReader(request.isUpgrade);
    this.body = new ResponseBody(connection);
    request.signal?.addEventListener("abort", this.#onAbort);
  }

  /** Resolves when status and headers are there. Rejects when there is no response; so does its body if it ends too soon. */
  get response(): Promise<TransportResponse> {
    return this.#response.promise;
  }

  /** Whether all of the response has been read. */
  get isComplete(): boolean {
    return this.reader.isDone || (this.#hasResponse && this.request.method === "HEAD");
  }

  /** Whether it has ended, whole or not. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The request goes onto the wire: from now on the server may do what it asks. */
  sent(): void {
    this.#wasSent = true;
  }

  /** Takes so many bytes of the connection; what they have of the body is afterwards between the offsets. Throws on what is not HTTP. */
  read(bytes: Buffer, length: number): { readonly start: number; readonly end: number } {
    const piece = this.reader.read(bytes, length);
    if (!this.#hasResponse && this.reader.head !== undefined) {
      const { status, headers } = this.reader.head;
      this.#hasResponse = true;
      const response = { status, headers, body: this.body };
      this.#response.resolve(status === 101 ? { ...response, upstream: this.#connection.upstream } : response);
    }
    return piece;
  }

  /** The body is complete. */
  finish(): void {
    this.#release();
    this.body.finish();
  }

  /** The server closed the connection, which completes a body that has no other end. */
  closed(): void {
    if (this.#isOver) return;
    if (this.reader.endsWithConnection) this.finish();
    else this.fail(connectionError("CLOSED_BY_SERVER"));
  }

  /** Nothing more will come. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    const failure = networkFailure(error, this.#connection.way, failedRequest(this.request), { wasSent: this.#wasSent });
    this.#release();
    this.#response.reject(failure);
    this.body.fail(failure);
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.request.signal?.reason;
    this.#release();
    this.#response.reject(reason);
    this.body.abort(reason);
    this.#connection.drop(new Error("the request was aborted"));
  };

  #release(): void {
    this.#isOver = true;
    this.request.signal?.removeEventListener("abort", this.#onAbort);
  }
}
