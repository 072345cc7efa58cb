import { RecentMap, TimeLimit, isReason, parseJsonBytes, stringifyJson } from "@kaji/core";
import type { ApiError, Clock, JsonValue, Transport, TransportRequest, TransportResponse } from "@kaji/core";
import { ResponseBody } from "../http/response-body.ts";
import { Answer } from "../response/answer.ts";
import { LineSplitter } from "../response/line-splitter.ts";
import { CallDeadline } from "./call-deadline.ts";
import { withQuery } from "./query.ts";
import type { Query } from "./query.ts";
import { refusalOf } from "../response/refusal-response.ts";
import { TransportError, failedRequest } from "../transport-error.ts";
import { longestAnswer, longestRefusal, tooLong, wholeBody } from "../response/whole-body.ts";
import { parseWarnings } from "../response/warning-header.ts";
import type { WarningListener } from "../response/warn-once.ts";

/** One request to an API server. */
export interface ApiCall {
  readonly method: TransportRequest["method"];
  /** Encoded; it may have a query of its own. */
  readonly path: string;
  readonly query?: Query;
  /** The form the response is wanted in. Default JSON. */
  readonly accept?: string;
  /** Written as JSON. */
  readonly body?: unknown;
  /** What the body is. Default JSON. */
  readonly contentType?: string;
  /** What the call makes of a JSON response. Default: the value in it. */
  readonly readAnswer?: ((answer: Answer) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What all requests of a client have in common. */
export interface ApiCallerOptions {
  readonly userAgent: string;
  /** Undefined: no limit. */
  readonly timeoutMs: number | undefined;
  readonly clock: Clock;
  readonly onWarning: WarningListener;
  /** Is told of each path that the server does not serve at all, other than that of an object which is not there. */
  readonly onNothingAt: (path: string) => void;
}

/** As informers have it: several times what etcd stores under one key. */
const longestLine = 64 * 1024 * 1024;

/** Pairs of what is sent and what is wanted: a client has a handful. */
const mostForms = 16;

/** Makes requests over a transport: bytes out of values, values or refusals out of bytes, each within its timeout. */
export class ApiCaller {
  readonly #transport: Transport;
  readonly #options: ApiCallerOptions;
  /** Undefined: none. */
  readonly #limit: TimeLimit | undefined;
  /** By what is sent and wanted: the same object each time, so that a transport need not prepare it again. */
  readonly #headers = new RecentMap<string, TransportRequest["headers"]>(mostForms);

  constructor(transport: Transport, options: ApiCallerOptions) {
    this.#transport = transport;
    this.#options = options;
    const { clock, timeoutMs } = options;
    this.#limit = timeoutMs === undefined ? undefined : new TimeLimit(clock, timeoutMs);
  }

  /** The response as JSON, of the type that the API documents for the call. A refusal is thrown as an `ApiError`. */
  async json<A = JsonValue>(call: ApiCall): Promise<A> {
    const bytes = await this.bytes(call);
    if (call.readAnswer === undefined) return this.#parse(bytes, call) as A;
    return call.readAnswer(new Answer(bytes, (text) => this.#parse(text, call))) as A;
  }

  /** The response as it came, in one piece. */
  async bytes(call: ApiCall): Promise<Uint8Array> {
    // Not `using`, which takes longer than all else here: this is the way of every request.
    const deadline = this.#deadline(call);
    try {
      const { body } = await this.#open(call, deadline?.signal ?? call.signal);
      // Awaited here: the deadline is for all of the body.
      return (body instanceof ResponseBody ? body.takeWhole() : undefined) ?? (await wholeBody(body, longestAnswer, call));
    } finally {
      deadline?.[Symbol.dispose]();
    }
  }

  /**
   * The response as it comes, for as long as it does; only its beginning has to come in time. Its pieces are lent: each is valid until the next is
   * asked for, so that a reader that keeps one, copies it.
   */
  async stream(call: ApiCall): Promise<AsyncIterable<Uint8Array>> {
    using deadline = this.#deadline(call);
    const { body } = await this.#open(call, begun(call, deadline));
    return body;
  }

  /** What comes of the wish to go on in another protocol, which is in the headers; only the answer to that has to come in time. */
  async upgrade(call: ApiCall, headers: TransportRequest["headers"]): Promise<TransportResponse> {
    using deadline = this.#deadline(call);
    const request = this.#request(call, begun(call, deadline));
    const response = await this.#transport({ ...request, headers: { ...request.headers, ...headers } });
    if (response.status !== 101) throw await refusalIn(response, call);
    return response;
  }

  /**
   * The lines of the response as they come; those that came together are yielded together, and an unterminated last line at the end.
   * They are views of buffers that are used again: a reader that keeps one, copies it.
   */
  async *lines(call: ApiCall): AsyncGenerator<readonly Uint8Array[]> {
    const splitter = new LineSplitter();
    for await (const piece of await this.stream(call)) {
      const lines = splitter.push(piece);
      if (lines.length > 0) yield lines;
      if (splitter.begunBytes > longestLine) throw tooLong("a line of the response", longestLine, call);
    }
    // A transport may end the body of an aborted request without an error; the reader must not take that for the end of the response.
    call.signal?.throwIfAborted();
    const rest = splitter.rest();
    if (rest !== undefined) yield [rest];
  }

  #parse(bytes: Uint8Array, call: ApiCall): JsonValue {
    try {
      return parseJsonBytes(bytes);
    } catch (error) {
      // The text itself stays out of the message: it may be a Secret, cut short.
      throw new TransportError("Malformed", `the response is ${emptyOrMarkup(bytes)}not JSON`, {
        request: failedRequest(call),
        cause: withoutText(error),
      });
    }
  }

  async #open(call: ApiCall, signal: AbortSignal | undefined): Promise<TransportResponse> {
    const request = this.#request(call, signal);
    const response = await this.#transport(request);
    for (const text of parseWarnings(response.headers["warning"])) this.#options.onWarning(text, call);
    if (response.status >= 200 && response.status <= 299) return response;
    const error = await refusalIn(response, call);
    // Of an object that is not there, the name is told.
    if (isReason(error, "NotFound") && error.details?.name === undefined) this.#options.onNothingAt(call.path);
    throw error;
  }

  #request(
    { method, path, query, accept = "application/json", body, contentType = "application/json" }: ApiCall,
    signal: AbortSignal | undefined,
  ): TransportRequest {
    const target = withQuery(path, query);
    if (body === undefined) return { method, path: target, headers: this.#headersFor(accept), signal };
    const headers = this.#headersFor(accept, contentType);
    return { method, path: target, headers, body: Buffer.from(stringifyJson(body)), signal };
  }

  #headersFor(accept: string, contentType?: string): TransportRequest["headers"] {
    const form = `${accept}\n${contentType ?? ""}`;
    let headers = this.#headers.get(form);
    if (headers === undefined) {
      headers = {
        accept,
        "user-agent": this.#options.userAgent,
        ...(contentType === undefined ? {} : { "content-type": contentType }),
      };
      this.#headers.set(form, headers);
    }
    return headers;
  }

  #deadline(call: ApiCall): CallDeadline | undefined {
    return this.#limit === undefined ? undefined : new CallDeadline(call, this.#limit);
  }
}

async function refusalIn(response: TransportResponse, call: ApiCall): Promise<ApiError> {
  return refusalOf(response, await wholeBody(response.body, longestRefusal, call), failedRequest(call));
}

/** Ends what has not begun in time; what has, goes on until the caller ends it. */
function begun({ signal }: ApiCall, deadline: CallDeadline | undefined): AbortSignal | undefined {
  const signals = [signal, deadline?.signal].filter((one) => one !== undefined);
  return signals.length < 2 ? signals[0] : AbortSignal.any(signals);
}

/** What else than JSON servers and proxies answer; nothing if it is not that either. */
function emptyOrMarkup(bytes: Uint8Array): string {
  const first = bytes.find((byte) => byte > 0x20);
  if (first === undefined) return "empty, ";
  return first === 0x3c ? "HTML or XML, " : "";
}

/** What `JSON.parse` says, less the text it quotes. */
function withoutText(error: unknown): unknown {
  return error instanceof SyntaxError ? new SyntaxError(error.message.replace(/,? ?(?:\.\.\.)?".*/s, "")) : error;
}
