import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { receivedHeader, refusal } from "@kaji/core";
import type { Clock, TransportRequest } from "@kaji/core";
import type { ClientCertificate } from "@kaji/core/serving";
import { jsonResponse } from "../response/api-response.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { readBody } from "./request-body.ts";
import { sendBody } from "./response-body.ts";
import type { ServerRequest } from "./server-request.ts";
import { openTunnel } from "./tunnel.ts";
import type { Wire } from "./wire.ts";

/** What a listener passes requests to. */
export interface RequestHandler {
  handle(request: ServerRequest): Promise<ApiResponse>;
}

/** What the exchanges of a listener have in common. */
export interface ExchangeContext {
  readonly handler: RequestHandler;
  readonly clock: Clock;
  /** How long a client may take nothing of its response. */
  readonly stalledMs: number;
  readonly certificateOf: (socket: Socket | undefined) => ClientCertificate | undefined;
}

/** Carries one request in and its answer out. Whatever goes wrong with the connection ends this exchange, and nothing else. */
export class HttpExchange {
  readonly #wire: Wire;
  readonly #context: ExchangeContext;
  /** Aborted when the client has gone, and when a live answer is to end. */
  readonly #end = new AbortController();
  #isLive = false;
  #isEnding = false;
  /** Whether all of the answer has been written. */
  #isSaid = false;

  constructor(wire: Wire, context: ExchangeContext) {
    this.#wire = wire;
    this.#context = context;
  }

  /** Answers the request; `onClose` is called when the exchange is over. Never throws. */
  start(onClose: () => void): void {
    const { input, output } = this.#wire;
    output.once("close", () => {
      if (!this.#isSaid) this.#end.abort(clientGone);
      onClose();
    });
    // An error of either stream is followed by its close, which is all that matters here.
    input.on("error", ignore);
    output.on("error", ignore);
    this.#run().catch(() => output.destroy());
  }

  isOn(connection: Duplex): boolean {
    return this.#wire.socket === connection;
  }

  /** Ends an answer that would go on for ever, as if all had been said. Any other is given to its end. */
  endLive(): void {
    this.#isEnding = true;
    if (this.#isLive) this.#end.abort(serverCloses);
  }

  async #run(): Promise<void> {
    const { input, output } = this.#wire;
    const body = await readBody(this.#wire.method, input);
    const response = await this.#ask(body);
    if (output.destroyed) return void response.tunnel?.destroy();
    this.#isLive = response.isLive === true;
    if (this.#isEnding) this.endLive();
    if (response.tunnel === undefined) await sendBody(this.#wire, response, this.#context);
    else openTunnel(this.#wire, response, response.tunnel, this.#end.signal);
    this.#isSaid = true;
  }

  async #ask(body: Uint8Array | undefined): Promise<ApiResponse> {
    const { method, path, headers, rawHeaders, socket } = this.#wire;
    if (!isMethod(method)) return methodNotAllowed();
    const certificate = this.#context.certificateOf(socket);
    const remoteAddress = socket?.remoteAddress;
    return this.#context.handler.handle({
      method,
      path,
      headers: joined(headers),
      rawHeaders: rawHeaders.map(receivedHeader),
      body,
      signal: this.#end.signal,
      certificate,
      remoteAddress,
    });
  }
}

const clientGone = new Error("the client has gone");
const serverCloses = new Error("the server is shutting down");
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

function isMethod(method: string): method is TransportRequest["method"] {
  return methods.has(method);
}

function methodNotAllowed(): ApiResponse {
  const { code, status } = refusal("MethodNotAllowed", "the server does not allow this method on the requested resource", {});
  return jsonResponse(code, status);
}

/** The headers as a handler sees them: without those of HTTP/2 itself, and each with one value. */
function joined(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || name.startsWith(":")) continue;
    result[name] = receivedHeader(typeof value === "string" ? value : value.join(", "));
  }
  return result;
}

function ignore(): void {}
