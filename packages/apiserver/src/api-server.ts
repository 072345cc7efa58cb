import {
  ApiError,
  ParseError,
  badRequest,
  bodyFromBytes,
  notFound,
  onAbort,
  parseDuration,
  refusal,
  sinkOf,
  systemClock,
  systemRandom,
  thrownError,
} from "@kaji/core";
import type { Clock, Random, Transport, TransportRequest } from "@kaji/core";
import { accessOf, forbiddenAccess, goesOn, negotiate, requestInfo, separateHeaders, systemAdmin } from "@kaji/core/serving";
import type { Access, RequestInfo, UserInfo } from "@kaji/core/serving";
import type { AdmissionPlugin } from "./admission.ts";
import { joinsPod } from "./auth/joins-pod.ts";
import { firstOf } from "./auth/authenticator.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { authenticatedOnly } from "./auth/authorizer.ts";
import type { Authorizer, Decision } from "./auth/authorizer.ts";
import { withoutSubprotocolToken } from "./auth/bearer-token.ts";
import { impersonate, wantsImpersonation } from "./auth/impersonation.ts";
import type { Impersonation } from "./auth/impersonation.ts";
import type { ServerRequest } from "./http/server-request.ts";
import type { Kind } from "./kind.ts";
import { KindRegistry } from "./kind-registry.ts";
import { KindChanged } from "./registry/kind-changed.ts";
import { Registry } from "./registry/registry.ts";
import { largestBody } from "./request/largest-body.ts";
import type { RequestContext } from "./request/request-context.ts";
import { indentedResponse } from "./response/api-response.ts";
import type { ApiResponse } from "./response/api-response.ts";
import { valueResponse } from "./response/respond.ts";
import { warningHeaders } from "./response/warning-header.ts";
import { pageNotFound, requireCleanPath, route, unknownPath } from "./routing.ts";
import { openSchema } from "./server-schemas.ts";
import type { ServerSchemas } from "./server-schemas.ts";
import { asApiError } from "./response/as-api-error.ts";
import { isStorageFailure } from "./storage/storage-error.ts";
import type { Storage } from "./storage/storage.ts";
import { serve, warnOfVersion } from "./verbs.ts";
import type { TellTrouble, Trouble } from "./trouble.ts";
import { WatchHub } from "./watch/watch-hub.ts";

/** What a server is made of. */
export interface ApiServerOptions {
  readonly storage: Storage;
  /** What it serves from the start; custom kinds come and go later. */
  readonly kinds?: readonly Kind[];
  /** How senders are authenticated, tried in this order. Default: only clients in the same process are known. */
  readonly authenticators?: readonly Authenticator[];
  /** Default: every authenticated user may do anything. */
  readonly authorize?: Authorizer;
  /** What every write has to pass, in this order. */
  readonly admission?: readonly AdmissionPlugin[];
  /** Answers for paths that are not objects, such as `/version`, by their path. */
  readonly paths?: Readonly<Record<string, PathHandler>>;
  readonly schemas?: ServerSchemas;
  /**
   * How long an object such as a pod stays, in milliseconds, that is marked as deleted without any time left: a client that reads what its watch
   * has told it of can see the mark. Default 0.
   */
  readonly markedForMs?: number;
  /** Is told of every request when it has been answered. */
  readonly observe?: (record: RequestRecord) => void;
  /** Is told what the server's own controllers cannot do. Default: nobody. */
  readonly onTrouble?: TellTrouble;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** Answers for a path and, if it ends in a slash, for all below it. */
export type PathHandler = (context: RequestContext) => ApiResponse | Promise<ApiResponse>;

/** One request and its response, for logs and audits. */
export interface RequestRecord {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  /** Who sent it; undefined when that could not be found out. */
  readonly user: UserInfo | undefined;
  /** As whom it was done, if not as its sender. */
  readonly impersonation: Impersonation | undefined;
  /** Undefined when it was refused before that was asked. */
  readonly decision: Decision | undefined;
  readonly response: ApiResponse;
  readonly status: number;
  readonly receivedMs: number;
  readonly durationMs: number;
  readonly auditId: string;
  /** Audit annotations of plugins that took part. */
  readonly annotations: ReadonlyMap<string, string>;
  /** What was thrown and is no refusal: a mistake in the server itself, which the client is told as an internal error. */
  readonly failure: Error | undefined;
}

/** Serves kinds from a storage: the whole of an API server but the network. */
export class ApiServer implements AsyncDisposable {
  readonly kinds: KindRegistry;
  readonly registry: Registry;
  readonly watches: WatchHub;
  readonly clock: Clock;
  readonly random: Random;
  readonly #options: ApiServerOptions;
  readonly #authenticate: ReturnType<typeof firstOf>;
  readonly #authorize: Authorizer;
  readonly #paths: Map<string, PathHandler>;
  #elsewhere: (path: string) => PathHandler | undefined = () => undefined;
  /** What runs as long as the server; disposed of in reverse, before the storage closes. */
  readonly #resources = new AsyncDisposableStack();

  constructor(options: ApiServerOptions) {
    const { storage, kinds = [], admission = [], authenticators = [], authorize = authenticatedOnly } = options;
    const { paths = {}, markedForMs = 0 } = options;
    const { schemas = { deleteOptions: openSchema, scale: openSchema }, clock = systemClock, random = systemRandom } = options;
    this.#options = options;
    this.kinds = new KindRegistry(kinds);
    this.registry = new Registry({ storage, kinds: this.kinds, admission, schemas, authorize, markedForMs });
    this.watches = new WatchHub(this.registry);
    this.clock = clock;
    this.random = random;
    this.#authenticate = firstOf(authenticators);
    this.#authorize = authorize;
    this.#paths = new Map(Object.entries(paths));
  }

  /** The paths that are not objects. One that ends with a slash is for all below it. */
  get paths(): readonly string[] {
    return [...this.#paths.keys()];
  }

  /** Tells whoever looks after the server what one of its own controllers cannot do. */
  tell(trouble: Trouble): void {
    this.#options.onTrouble?.(trouble);
  }

  /** Answers more paths. */
  addPaths(paths: Readonly<Record<string, PathHandler>>): void {
    for (const [path, handler] of Object.entries(paths)) this.#paths.set(path, handler);
  }

  /** Has another server answer for those paths for which one is found, once the request is allowed. */
  passOn(find: (path: string) => PathHandler | undefined): void {
    this.#elsewhere = find;
  }

  /** Lets something end with the server: before the storage closes, after the watches have ended. */
  use<T extends AsyncDisposable | Disposable>(resource: T): T {
    return this.#resources.use(resource);
  }

  /** Answers a request from the network. */
  handle(request: ServerRequest): Promise<ApiResponse> {
    return this.#respond(request, () => this.#authenticate(request));
  }

  /** The way in for clients in the same process: no network, no credentials, any user. */
  transport(user: UserInfo = systemAdmin): Transport {
    return async (request) => {
      const { status, headers, body, tunnel } = await this.#respond(request, () => user);
      if (tunnel === undefined) return { status, headers, body: body instanceof Uint8Array ? bodyFromBytes(body) : body };
      const aborted = onAbort(request.signal, () => tunnel.destroy());
      tunnel.once("close", () => aborted[Symbol.dispose]());
      return { status, headers, body: tunnel, upstream: sinkOf(tunnel) };
    };
  }

  /** Ends all watches quietly, and lets go of the storage. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.watches.endAll();
    await this.#resources.disposeAsync();
    await this.registry.storage.close();
  }

  async #respond(request: ServerRequest, authenticate: () => UserInfo | Promise<UserInfo>): Promise<ApiResponse> {
    const startMs = this.clock.monotonic();
    const receivedMs = this.clock.now();
    const [path, search] = splitOnce(request.path, "?");
    const query = new URLSearchParams(search);
    const info = requestInfo(request.method, path, query);
    const warnings: string[] = [];
    const annotations = new Map<string, string>();
    const progress: RequestProgress = { user: undefined, impersonation: undefined, decision: undefined, failure: undefined };
    let response: ApiResponse;
    try {
      if (!goesOn(info)) refuseTimeout(query);
      progress.user = await authenticate();
      const access = accessOf(info, query);
      const user = await this.#actingUser(progress.user, request, access, progress);
      const { clock, random } = this;
      const { method, body, signal } = request;
      const headers = withoutSubprotocolToken(request.headers);
      const warn = (message: string): void => void warnings.push(message);
      await this.#requireAllowed(user, access, progress);
      if (joinsPod(info)) await this.#requireAllowed(user, { ...info, verb: "create" }, progress);
      const annotate = (key: string, value: string): void => void annotations.set(key, value);
      response = await this.#dispatch({ method, info, user, query, search, headers, body, signal, clock, random, warn, annotate });
    } catch (error) {
      if (!isForeseen(error, request)) progress.failure = thrownError(error);
      response = refused(error, request, query);
    }
    const auditId = this.random.uuid();
    const durationMs = this.clock.monotonic() - startMs;
    const { status } = response;
    this.#options.observe?.({ request, info, ...progress, response, status, receivedMs, durationMs, auditId, annotations });
    const said = withHeaders(response, auditId, warnings);
    return request.method === "HEAD" ? { ...said, body: new Uint8Array() } : said;
  }

  /** The sender, or whom the request is to be done as. */
  async #actingUser(sender: UserInfo, request: ServerRequest, access: Access, progress: RequestProgress): Promise<UserInfo> {
    if (!wantsImpersonation(request.headers)) return sender;
    progress.impersonation = await impersonate(sender, separateHeaders(request), access, this.#authorize);
    return progress.impersonation?.user ?? sender;
  }

  async #requireAllowed(user: UserInfo, access: Access, progress: RequestProgress): Promise<void> {
    progress.decision = await this.#authorize(user, access);
    if (!progress.decision.allowed) throw forbiddenAccess(user, access, progress.decision.reason);
  }

  async #dispatch(context: RequestContext): Promise<ApiResponse> {
    const { body } = context;
    if (body !== undefined && body.byteLength > largestBody) {
      throw refusal("RequestEntityTooLarge", `Request entity too large: limit is ${largestBody}`);
    }
    for (;;) {
      try {
        return await this.#serve(context);
      } catch (error) {
        if (!(error instanceof KindChanged)) throw error;
      }
    }
  }

  async #serve(context: RequestContext): Promise<ApiResponse> {
    const { info } = context;
    const elsewhere = this.#elsewhere(info.path);
    if (elsewhere !== undefined) return elsewhere(context);
    if (info.type === "Path") return this.#path(context);
    if (info.path.startsWith("//")) return pageNotFound();
    requireCleanPath(info);
    const found = route(this.kinds, info);
    switch (found.type) {
      case "Target":
        return serve(this.watches, info.verb, found.target, context);
      case "NoSuchPart":
        warnOfVersion(found.target, context);
        // To ask for a subresource that a custom kind does not have is to ask for an object that is not there.
        throw notFound(found.target.kind, found.name);
      case "Unknown":
        if (!found.groupIsKnown) return this.#path(context);
        throw unknownPath();
      default:
        return found satisfies never;
    }
  }

  #path(context: RequestContext): ApiResponse | Promise<ApiResponse> {
    const { path } = context.info;
    const exact = this.#paths.get(path);
    if (exact !== undefined) return exact(context);
    let nearest = "/";
    for (const prefix of this.#paths.keys()) {
      if (prefix.length > nearest.length && prefix.endsWith("/") && path.startsWith(prefix)) nearest = prefix;
    }
    return nearest === "/" ? pageNotFound() : (this.#paths.get(nearest)?.(context) ?? pageNotFound());
  }
}

/** What has come of a request so far. */
interface RequestProgress {
  failure: RequestRecord["failure"];
  user: RequestRecord["user"];
  impersonation: RequestRecord["impersonation"];
  decision: RequestRecord["decision"];
}

/** Requests end by themselves long before any timeout; one that makes no sense is refused all the same. */
function refuseTimeout(query: URLSearchParams): void {
  const timeout = query.get("timeout") ?? "";
  if (timeout === "") return;
  try {
    parseDuration(timeout);
  } catch (error) {
    throw error instanceof ParseError ? badRequest(`invalid timeout specified in the request URL - ${error.message}`) : error;
  }
}

/** Turns what went wrong into a Status. */
function refused(error: unknown, { headers }: TransportRequest, query: URLSearchParams): ApiResponse {
  const { status, code } = asApiError(error);
  const { retryAfterSeconds } = status.details ?? {};
  const form = acceptedForm(headers["accept"]);
  const response = form === undefined ? indentedResponse(code, status) : valueResponse(code, status, { query, headers }, form);
  if (retryAfterSeconds === undefined) return response;
  return { ...response, headers: { ...response.headers, "retry-after": String(retryAfterSeconds) } };
}

/** A refusal, the state of the storage, or the end of a request whose client has gone. */
function isForeseen(error: unknown, { signal }: ServerRequest): boolean {
  return error instanceof ApiError || isStorageFailure(error, "Unavailable", "Closed") || signal?.aborted === true;
}

/** The form in which a client takes a refusal; undefined if it takes none, and then it is written as for people. */
function acceptedForm(accept: string | undefined): ReturnType<typeof negotiate> | undefined {
  try {
    return { ...negotiate(accept, ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]), transform: undefined };
  } catch {
    return undefined;
  }
}

function withHeaders(response: ApiResponse, auditId: string, warnings: readonly string[]): ApiResponse {
  const warning = warnings.length === 0 ? {} : { warning: warningHeaders(warnings) };
  return { ...response, headers: { "audit-id": auditId, ...response.headers, ...warning } };
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
