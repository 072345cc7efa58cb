import { abortable, systemClock } from "@kaji/core";
import type { Clock, Transport, TransportRequest, TransportResponse } from "@kaji/core";
import { isStream } from "../request/api-path.ts";
import { impersonatedUser } from "../request/impersonating.ts";
import type { Connection, Impersonation } from "../connection/connection.ts";
import type { CredentialSource, Credentials } from "../connection/credential-source.ts";
import { credentialsOf } from "../connection/credentials.ts";
import { pemOf } from "../connection/pem.ts";
import { reveal } from "../connection/secret.ts";
import type { Reloaded } from "../connection/watched-file.ts";
import { longestRefusal, wholeBody } from "../response/whole-body.ts";
import { TransportError } from "../transport-error.ts";
import { ConnectionPools } from "./connection-pools.ts";
import { environmentProxy } from "./environment-proxy.ts";
import type { Environment } from "./environment-proxy.ts";
import { uncompressed } from "./gunzip.ts";
import { isSocks, proxyProblem } from "./proxy-url.ts";
import { headerLines, sendablePath } from "./request-head.ts";
import type { WireRequest } from "./request-head.ts";
import { TlsContexts } from "./tls-contexts.ts";

/** What a transport takes from its surroundings. */
export interface HttpTransportOptions {
  readonly clock?: Clock | undefined;
  /** Where proxies are named if the connection names none. Default: the variables of this process. */
  readonly environment?: Environment | undefined;
}

/**
 * A transport over the network. Certificates, authorities and tokens that change on disk, or expire, are replaced automatically:
 * new requests go out on new connections, and what is under way ends on the old ones.
 */
export function httpTransport(connection: Connection, options: HttpTransportOptions = {}): Transport & AsyncDisposable {
  const sender = new HttpSender(connection, options);
  const transport: Transport = (request) => sender.send(request);
  return Object.assign(transport, { [Symbol.asyncDispose]: () => sender.close() });
}

/** What headers of requests became with these credentials. */
interface KnownHeaders {
  readonly credentials: Credentials;
  readonly isPlain: boolean;
  readonly headers: WireRequest["headers"];
}

class HttpSender {
  readonly #server: URL;
  /** Before every path; without a slash at its end. */
  readonly #prefix: string;
  readonly #connection: Connection;
  readonly #proxy: URL | undefined;
  readonly #impersonation: Readonly<Record<string, string | string[]>>;
  readonly #authority: Reloaded<string> | undefined;
  readonly #credentials: CredentialSource;
  readonly #contexts: TlsContexts;
  readonly #known = new WeakMap<TransportRequest["headers"], KnownHeaders>();
  #current: { readonly context: unknown; readonly pools: ConnectionPools } | undefined;
  /** Replaced by `#current`, with something still under way on them. */
  readonly #retired = new Set<ConnectionPools>();
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, { clock = systemClock, environment = process.env }: HttpTransportOptions) {
    const { server, certificateAuthority, proxyUrl, user = {} } = connection;
    this.#server = parseServer(server);
    this.#prefix = this.#server.pathname.replace(/\/+$/, "");
    this.#connection = connection;
    this.#proxy = parseProxy(proxyUrl === undefined ? environmentProxy(this.#server, environment) : reveal(proxyUrl), this.#server);
    this.#impersonation = impersonationHeaders(user.impersonate);
    this.#authority = certificateAuthority === undefined ? undefined : pemOf(certificateAuthority, "certificate authority", clock);
    this.#contexts = new TlsContexts(certificateAuthority);
    this.#credentials = credentialsOf(user, clock);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { signal } = request;
    const shown = this.#credentials.current();
    const credentials = shown instanceof Promise ? await abortable(shown, signal) : shown;
    const response = await this.#attempt(request, credentials);
    if (response.status !== 401 || !(await abortable(this.#credentials.renew(credentials), signal))) return uncompressed(response, request);
    await wholeBody(response.body, longestRefusal, request);
    const renewed = await abortable(Promise.resolve(this.#credentials.current()), signal);
    return uncompressed(await this.#attempt(request, renewed), request);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeNow();
    return this.#closing;
  }

  async #closeNow(): Promise<void> {
    const current = this.#current === undefined ? [] : [this.#current.pools];
    await Promise.all([...current, ...this.#retired].map((pools) => pools.close()));
  }

  async #attempt(request: TransportRequest, credentials: Credentials): Promise<TransportResponse> {
    const authority = this.#authority?.read();
    const pools = this.#poolsFor(authority instanceof Promise ? await authority : authority, credentials);
    try {
      return await pools.send(this.#onWire(request, credentials));
    } catch (error) {
      if (!(error instanceof TransportError) || error.reason !== "Untrusted") throw error;
      // Nothing has been sent. A server whose certificate was rotated is trusted as soon as the new authority is on disk.
      this.#authority?.expire();
      const renewed = this.#poolsFor(await this.#authority?.read(), credentials);
      if (renewed === pools) throw error;
      return renewed.send(this.#onWire(request, credentials));
    }
  }

  #onWire({ method, path, headers, body, signal }: TransportRequest, credentials: Credentials): WireRequest {
    // API servers do not compress watches: each event would wait in the compressor for the next.
    const isPlain = this.#connection.disableCompression === true || isStream(path);
    const lines = this.#headersOf(headers, credentials, isPlain);
    return { method, path: sendablePath(this.#prefix + path), headers: lines, isUpgrade: headers["upgrade"] !== undefined, body, signal };
  }

  /** All headers of a request; made once for the same request headers and credentials. */
  #headersOf(given: TransportRequest["headers"], credentials: Credentials, isPlain: boolean): WireRequest["headers"] {
    const known = this.#known.get(given);
    if (known?.credentials === credentials && known.isPlain === isPlain) return known.headers;
    const { authorization } = credentials;
    const compression = isPlain ? {} : { "accept-encoding": "gzip" };
    const shown = authorization === undefined ? {} : { authorization };
    const impersonation = given[impersonatedUser] === undefined ? this.#impersonation : {};
    const headers = headerLines({ ...compression, ...given, ...shown, ...impersonation });
    this.#known.set(given, { credentials, isPlain, headers });
    return headers;
  }

  #poolsFor(ca: string | undefined, { certificate }: Credentials): ConnectionPools {
    const isTls = this.#server.protocol === "https:";
    const context = isTls ? this.#contexts.contextOf({ ca, certificate }) : undefined;
    if (this.#current !== undefined && this.#current.context === context) return this.#current.pools;
    const { tlsServerName: servername, insecureSkipTlsVerify = false } = this.#connection;
    const tls = context === undefined ? undefined : { secureContext: context, servername, isVerified: !insecureSkipTlsVerify };
    if (this.#current !== undefined) this.#retire(this.#current.pools);
    const pools = new ConnectionPools({ server: this.#server, tls, proxy: this.#proxy });
    this.#current = { context, pools };
    // Nobody will close what is opened after the end: these pools refuse requests as those did that were there.
    if (this.#closing !== undefined) pools.close().catch(() => {});
    return pools;
  }

  /** In the background: how the old connections end is reported to the requests on them. */
  #retire(pools: ConnectionPools): void {
    this.#retired.add(pools);
    pools
      .retire()
      .finally(() => this.#retired.delete(pools))
      .catch(() => {});
  }
}

function parseServer(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new TypeError(`server ${JSON.stringify(server)} is not a URL such as https://10.0.0.1:6443`);
}

function parseProxy(proxy: string | undefined, server: URL): URL | undefined {
  if (proxy === undefined) return undefined;
  const problem = proxyProblem(proxy);
  if (problem !== undefined) throw new TypeError(`the proxy ${problem}`);
  const url = new URL(proxy);
  if (isSocks(url) && server.protocol === "http:")
    throw new TypeError(`a SOCKS proxy leads to https servers, and ${server.origin} is none`);
  return url;
}

function impersonationHeaders(impersonation: Impersonation | undefined): Readonly<Record<string, string | string[]>> {
  if (impersonation === undefined) return {};
  const { username, uid, groups = [], extra = {} } = impersonation;
  return {
    [impersonatedUser]: username,
    ...(uid === undefined ? {} : { "impersonate-uid": uid }),
    ...(groups.length === 0 ? {} : { "impersonate-group": [...groups] }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]])),
  };
}
