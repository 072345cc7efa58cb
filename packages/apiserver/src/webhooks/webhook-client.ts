import type * as Https from "node:https";
import { posix } from "node:path";
import { abortable, bodyBytes, onAbort, stringifyJson } from "@kaji/core";
import type { Clock, JsonValue, Transport } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { isCaBundle } from "../custom/definition/conversion-validation.ts";
import type { WebhookClientConfig } from "../custom/definition/crd.ts";
import { errorCode, httpsCall, keepAliveAgent, placeOf } from "../http/https-call.ts";
import { responseProblem } from "./response-problem.ts";
import { goNetworkError } from "./go-network-error.ts";

/** A service that webhooks refer to, at one of its ports. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Where webhooks are found. */
export interface WebhookTargets {
  /** Where a service is reached: its host and port count. Throws what is wrong with it. Default its name in the DNS of a cluster. */
  readonly resolveService?: (service: ServiceReference) => URL | Promise<URL>;
  /**
   * Webhooks of the same process, which are called without network or certificates, by the origin under which a configuration names them:
   * `https://localhost:9443`, or `https://NAME.NAMESPACE.svc` for a service (with its port, if that is not 443).
   */
  readonly inProcess?: ReadonlyMap<string, Transport>;
}

/** How a webhook is called. */
export interface WebhookCall {
  readonly config: WebhookClientConfig;
  readonly review: JsonValue;
  /** Given to the webhook, and kept to. Default no limit. */
  readonly timeoutSeconds?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Why there is no review to look at, in the words of the real server. */
export class WebhookCallError extends Error {
  override readonly name = "WebhookCallError";
  /** Whether there was nothing to call, which the real server says in other words. */
  readonly isConfiguration: boolean;

  constructor(message: string, options: { readonly isConfiguration?: boolean; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.isConfiguration = options.isConfiguration ?? false;
  }
}

/** Connections to one webhook: beyond these a call waits, which takes less than another TLS handshake. */
const mostConnections = 64;

/** Posts reviews to webhooks, over connections that are kept open, or within the process. */
export class WebhookClient implements Disposable {
  readonly #targets: WebhookTargets;
  readonly #clock: Clock;
  /** Keeps the connections of each authority and server name apart. */
  #agent: Https.Agent | undefined;

  constructor(targets: WebhookTargets, clock: Clock) {
    this.#targets = targets;
    this.#clock = clock;
  }

  /** The body of the answer; rejects with `WebhookCallError` unless it is a success. */
  async post(call: WebhookCall): Promise<Uint8Array> {
    const { timeoutSeconds } = call;
    const url = urlOf(call.config, timeoutSeconds);
    const end = new AbortController();
    let isLate = false;
    const onLate = (): void => {
      isLate = true;
      end.abort();
    };
    using _timer = timeoutSeconds === undefined ? undefined : this.#clock.timer(timeoutSeconds * 1000, onLate);
    // By hand, since AbortSignal.any takes several times as long.
    using _abort = onAbort(call.signal, (reason) => end.abort(reason));
    try {
      // A webhook in the same process may not look at the signal; the caller need not wait longer.
      const { status, headers, body } = await abortable(this.#send({ ...call, signal: end.signal }, url), end.signal);
      const problem = responseProblem(status, headers, body);
      if (problem !== undefined) throw new WebhookCallError(problem);
      return body;
    } catch (error) {
      if (error instanceof WebhookCallError) throw error;
      const why = isLate ? "context deadline exceeded" : end.signal.aborted ? "context canceled" : goNetworkError(error);
      throw new WebhookCallError(`Post ${quote(url.text)}: ${why}`, { cause: error });
    }
  }

  [Symbol.dispose](): void {
    this.#agent?.destroy();
  }

  async #send({ config, review, signal }: WebhookCall & { readonly signal: AbortSignal }, url: WebhookUrl): Promise<WebhookResponse> {
    const body = Buffer.from(stringifyJson(review));
    const headers = { accept: "application/json, */*", "content-type": "application/json", "user-agent": "kube-apiserver-admission" };
    const inProcess = this.#targets.inProcess?.get(url.parsed.origin);
    if (inProcess !== undefined) {
      const path = url.parsed.pathname + url.parsed.search;
      const response = await inProcess({ method: "POST", path, headers, body, signal });
      return { ...response, body: await bodyBytes(response.body) };
    }
    const { service, caBundle = "" } = config;
    const ca = Buffer.from(caBundle, "base64").toString("utf8");
    const options: Https.RequestOptions = {
      method: "POST",
      path: url.parsed.pathname + url.parsed.search,
      headers: { ...headers, host: url.parsed.host, "content-length": body.byteLength },
      agent: (this.#agent ??= keepAliveAgent({ maxSockets: mostConnections })),
      signal,
      // As in Go, whatever is in the bundle is believed, be it the certificate of the webhook itself.
      ...(ca.trim() === "" ? {} : { ca, allowPartialTrustChain: true }),
    };
    if (service === undefined) return await this.#overNetwork(body, { ...options, ...placeOf(url.parsed) });
    return await this.#toService(body, serviceReference(service), { ...options, servername: url.parsed.hostname });
  }

  /** An endpoint that goes while a call waits for a connection to it was not called: its successor is. */
  async #toService(body: Uint8Array, service: ServiceReference, options: Https.RequestOptions): Promise<WebhookResponse> {
    const address = await this.#resolve(service);
    try {
      return await this.#overNetwork(body, { ...options, ...placeOf(address) });
    } catch (error) {
      if (!isLost(error)) throw error;
      const successor = await this.#resolve(service);
      if (successor.host === address.host) throw error;
      return await this.#overNetwork(body, { ...options, ...placeOf(successor) });
    }
  }

  async #overNetwork(body: Uint8Array, options: Https.RequestOptions): Promise<WebhookResponse> {
    const response = await httpsCall(body, options);
    return { status: response.statusCode ?? 0, headers: response.headers, body: await bodyBytes(response) };
  }

  async #resolve(service: ServiceReference): Promise<URL> {
    const { resolveService } = this.#targets;
    return resolveService === undefined
      ? new URL(`https://${service.name}.${service.namespace}.svc:${service.port}`)
      : resolveService(service);
  }
}

/** Whether no connection could be made, or it ended before there was an answer. */
function isLost(error: unknown): boolean {
  return ["ECONNREFUSED", "ECONNRESET"].includes(errorCode(error) ?? "");
}

interface WebhookResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

/** Where a call goes, and how messages write it: with the port of a service even if it is the usual one. */
interface WebhookUrl {
  readonly text: string;
  readonly parsed: URL;
}

/** Where configurations lead that have been read, by the query: most are called many times. */
const known = new WeakMap<WebhookClientConfig, Map<string, WebhookUrl>>();

function urlOf(config: WebhookClientConfig, timeoutSeconds: number | undefined): WebhookUrl {
  const query = timeoutSeconds === undefined ? "" : `?timeout=${timeoutSeconds}s`;
  const urls = known.get(config) ?? new Map<string, WebhookUrl>();
  const url = urls.get(query) ?? readUrl(config, query);
  known.set(config, urls.set(query, url));
  return url;
}

function readUrl({ url, service, caBundle = "" }: WebhookClientConfig, query: string): WebhookUrl {
  if (!isCaBundle(caBundle)) {
    throw new WebhookCallError("unable to load root certificates: unable to parse bytes as PEM block", { isConfiguration: true });
  }
  if (service !== undefined) {
    const { name, namespace, port } = serviceReference(service);
    const text = `https://${name}.${namespace}.svc:${port}${cleanPath(service.path ?? "")}${query}`;
    return { text, parsed: new URL(text) };
  }
  const parsed = URL.parse(url ?? "");
  if (parsed === null) throw new WebhookCallError(`Unparsable URL: ${url}`, { isConfiguration: true });
  parsed.pathname = cleanPath(parsed.pathname);
  parsed.search = query;
  const host = /^https:\/\/([^/?#]*)/.exec(url ?? "")?.[1] ?? parsed.host;
  return { text: `https://${host}${parsed.pathname}${query}`, parsed };
}

/** As Go's `path.Join("/", path)`. */
function cleanPath(path: string): string {
  const joined = posix.join("/", path);
  return joined.length > 1 && joined.endsWith("/") ? joined.slice(0, -1) : joined;
}

function serviceReference({ namespace = "", name = "", port = 443 }: NonNullable<WebhookClientConfig["service"]>): ServiceReference {
  return { namespace, name, port };
}
