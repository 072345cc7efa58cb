import type { IncomingHttpHeaders } from "node:http";
import type { TransportRequest, TransportResponse } from "@kaji/core";
import type { Dispatcher } from "undici";
import { failedRequest } from "../transport-error.ts";
import { networkFailure } from "./network-failure.ts";
import { ResponseBody } from "./response-body.ts";

/** A request as it goes onto the wire. */
export interface WireRequest extends Omit<TransportRequest, "headers"> {
  /** A header with several values is sent several times. */
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** Sends one request on a connection of the dispatcher. Rejects when there is no answer; so does its body if it ends too soon. */
export function exchange(dispatcher: Dispatcher, server: URL, request: WireRequest): Promise<TransportResponse> {
  return new HttpExchange(dispatcher, server, request).response;
}

/** One request and its response, as undici tells of them. */
class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #server: URL;
  readonly #request: WireRequest;
  readonly #response = Promise.withResolvers<TransportResponse>();
  readonly #body: ResponseBody;
  /** There is none before the request has its turn on a connection. */
  #controller: Dispatcher.DispatchController | undefined;

  constructor(dispatcher: Dispatcher, server: URL, request: WireRequest) {
    this.#server = server;
    this.#request = request;
    this.#body = new ResponseBody({
      pause: () => this.#controller?.pause(),
      resume: () => this.#controller?.resume(),
      cancel: () => this.#controller?.abort(new Error("nobody reads the answer any more")),
    });
    const { method, path, headers, body, signal } = request;
    if (signal?.aborted === true) {
      this.#response.reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", this.#onAbort);
    dispatcher.dispatch({ origin: server.origin, method, path, headers, body: body ?? null }, this);
  }

  get response(): Promise<TransportResponse> {
    return this.#response.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#request.signal?.aborted === true) this.#onAbort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // The headers of a response that only says that another one will come.
    if (status < 200) return;
    this.#response.resolve({ status, headers: headers as TransportResponse["headers"], body: this.#body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Uint8Array): void {
    this.#body.push(piece);
  }

  onResponseEnd(): void {
    this.#settle();
    this.#body.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    this.#settle();
    const { signal } = this.#request;
    const failure: unknown =
      signal?.aborted === true ? signal.reason : networkFailure(error, this.#server.origin, failedRequest(this.#request));
    this.#response.reject(failure);
    this.#body.fail(failure);
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#request.signal?.reason;
    this.#response.reject(reason);
    this.#body.abort(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error("the request was aborted"));
  };

  #settle(): void {
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
  }
}
