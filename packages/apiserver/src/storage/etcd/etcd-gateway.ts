import { once } from "node:events";
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { errorMessage } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { EtcdError } from "./etcd-error.ts";

/** How long a server may take to answer. */
const answerMs = 5000;

/** What etcd answers when it does not know itself whether it has done something: https://grpc.io/docs/guides/status-codes */
const unknownCodes: ReadonlySet<number> = new Set([1, 2, 4, 10, 13, 14]);

/** By what both sides of a connection know each other, as PEM. */
export interface EtcdTls {
  /** Who signs the certificates of the servers. Default whom the machine trusts. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** The servers of one etcd, and how they are talked to. */
export interface EtcdGatewayOptions {
  /** URLs such as `https://10.0.0.1:2379`. */
  readonly servers: readonly string[];
  readonly tls?: EtcdTls | undefined;
  readonly clock: Clock;
}

/**
 * Sends requests to the JSON gateway of an etcd: https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway
 *
 * One server is used until it fails. A request goes to another only if it has not left this process.
 */
export class EtcdGateway implements Disposable {
  readonly servers: readonly string[];
  readonly #clock: Clock;
  readonly #http: HttpAgent = new HttpAgent({ keepAlive: true });
  readonly #https: HttpsAgent;
  /** Which of the servers is used. */
  #current = 0;

  constructor({ servers, tls = {}, clock }: EtcdGatewayOptions) {
    this.servers = servers;
    this.#clock = clock;
    this.#https = new HttpsAgent({ keepAlive: true, ...tls });
  }

  /** Asks for something, such as `kv/range`, and returns the parsed answer. */
  async call(method: string, body: object): Promise<unknown> {
    const text = JSON.stringify(body);
    const failures: string[] = [];
    for (;;) {
      const server = this.servers[this.#current] ?? "";
      const call = this.#send(new URL(`/v3/${method}`, server), text);
      try {
        return await this.#answerTo(call);
      } catch (error) {
        if (error instanceof EtcdError && error.reason === "Refused") throw error;
        this.#current = (this.#current + 1) % this.servers.length;
        failures.push(`${server}: ${describe(error)}`);
        const isElsewhere = failures.length < this.servers.length;
        if (!isElsewhere || !isUnsent(error)) throw new EtcdError("Unknown", failures.join("; "), { cause: error });
      }
    }
  }

  [Symbol.dispose](): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #send(url: URL, body: string): ClientRequest {
    const options = { method: "POST", headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) } };
    const call =
      url.protocol === "https:"
        ? httpsRequest(url, { ...options, agent: this.#https })
        : httpRequest(url, { ...options, agent: this.#http });
    call.end(body);
    return call;
  }

  async #answerTo(call: ClientRequest): Promise<unknown> {
    using _timer = this.#clock.timer(answerMs, () => call.destroy(new Error(`no answer within ${answerMs / 1000} s`)));
    const [response] = (await once(call, "response")) as [IncomingMessage];
    call.on("error", () => {}); // What breaks from here on shows in the body.
    const text = Buffer.concat(await response.toArray()).toString();
    const status = response.statusCode ?? 0;
    const answer = parseAnswer(text, status);
    if (status === 200) return answer;
    const { code = 2, message = text } = answer as { readonly code?: number; readonly message?: string };
    throw new EtcdError(unknownCodes.has(code) ? "Unknown" : "Refused", message);
  }
}

function parseAnswer(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EtcdError("Unknown", `answers ${status}, and not as the gateway of an etcd does`, { cause: error });
  }
}

/** Whether the connection has never been there. */
function isUnsent(error: unknown): boolean {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error && "syscall" in first && (first.syscall === "connect" || first.syscall === "getaddrinfo");
}

/** A name with several addresses fails with an error for each, and says nothing itself. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join(", ");
  return errorMessage(error);
}
