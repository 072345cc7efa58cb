import {
  ApiError,
  ParseError,
  badRequest,
  errorMessage,
  notFound,
  objectKey,
  parseFieldSelector,
  parseSelector,
  refusal,
  systemClock,
} from "@kaji/core";
import type { Selector, TransportRequest, TransportResponse } from "@kaji/core";
import { compareGoStrings } from "@kaji/core/go";
import { forbiddenAccess, negotiate, requestInfo, unauthorized } from "@kaji/core/serving";
import type { Access, Credentials, PathRequest, ResourceRequest, UserInfo } from "@kaji/core/serving";
import { remembering } from "../reconcile/forgotten-promises.ts";
import { jsonResponse, statusResponse } from "../webhook/webhook-handler.ts";
import type { WebhookHandlerOptions } from "../webhook/webhook-handler.ts";
import { noCache } from "../webhook/webhook-cache.ts";
import { webhookReads } from "../webhook/webhook-reads.ts";
import type { AnyApiQuestion, Api, ApiReply } from "./api.ts";
import { apiDocument } from "./api-documents.ts";
import { objectTable } from "./object-table.ts";
import type { ApiRow, Included } from "./object-table.ts";

/** Who asks, and whether they may. */
export interface ApiAccess {
  /** Undefined: nobody whom we believe says so. */
  readonly userOf: (credentials: Credentials) => UserInfo | undefined;
  readonly may: (user: UserInfo, access: Access) => Promise<boolean>;
}

/** What is served, to whom, and what it is made of. */
export interface ApiHandlerOptions extends Pick<WebhookHandlerOptions, "clock" | "log" | "mirrors" | "namespaces" | "reader"> {
  readonly apis: readonly Api[];
  readonly access: ApiAccess;
}

/** Answers a request; what it shows of its sender comes beside it where it came over a network. */
export type ServedHandler = (request: TransportRequest, credentials?: Credentials) => Promise<TransportResponse>;

/** Answers what the API server passes on, requests for the objects of APIs and for what there is of them; `others` answers all else. */
export function apiHandler(options: ApiHandlerOptions, others: ServedHandler): ServedHandler {
  const { log } = options;
  return async (request, credentials = { headers: request.headers }) => {
    const { path } = request;
    if (!/^\/+(apis|openapi)(\/|\?|$)/.test(path)) return await others(request, credentials);
    const forgotten = (error: unknown): void => log?.error({ path, err: error }, "unhandled rejection in API: a promise was not awaited");
    try {
      return await remembering({ forgotten }, () => answer(request, credentials, options));
    } catch (error) {
      if (error instanceof ApiError) return statusResponse(error);
      log?.error({ path, err: error }, "API request failed");
      return statusResponse(refusal("InternalError", `the operator cannot answer: ${errorMessage(error)}`));
    }
  };
}

async function answer(request: TransportRequest, credentials: Credentials, options: ApiHandlerOptions): Promise<TransportResponse> {
  const { access } = options;
  const [path = "", search = ""] = request.path.split("?", 2);
  const query = new URLSearchParams(search);
  const info = requestInfo(request.method, path, query);
  const user = access.userOf(credentials);
  if (user === undefined) throw unauthorized();
  if (!(await access.may(user, info))) throw forbiddenAccess(user, info, "");
  const { accept } = request.headers;
  return info.type === "Path"
    ? discover(options.apis, info, accept)
    : await find({ info, query, user, accept, signal: request.signal }, options);
}

function discover(apis: readonly Api[], { path, verb }: PathRequest, accept: string | undefined): TransportResponse {
  if (verb !== "get") throw notAllowed();
  const { transform } = negotiate(accept, ["APIGroupDiscoveryList"], ["json"]);
  if (transform === undefined) return jsonResponse(200, apiDocument(apis, path, "Plain"));
  return jsonResponse(200, apiDocument(apis, path, "Aggregated"), "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
}

/** A request of somebody who may send it. */
interface Asked {
  readonly info: ResourceRequest;
  readonly query: URLSearchParams;
  readonly user: UserInfo;
  readonly accept: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function find(asked: Asked, options: ApiHandlerOptions): Promise<TransportResponse> {
  const { info, query, accept } = asked;
  const found = apiAt(options.apis, info);
  const { transform } = negotiate(accept, ["Table"], ["json"]);
  const labelSelector = parsed(parseSelector, query.get("labelSelector"));
  const reply = await found.reply(await questionOf(found, labelSelector, asked, options));
  if (reply.type === "Document") return jsonResponse(200, reply.document);
  const rows = chosen(reply, labelSelector, asked);
  if (transform === "Table") return jsonResponse(200, objectTable(reply.heads, rows, includedIn(query)));
  const [object] = rows;
  if (info.name !== undefined && object !== undefined) return jsonResponse(200, object.object);
  const type = { kind: found.resource.listKind, apiVersion: `${info.group}/${info.version}` };
  return jsonResponse(200, { ...type, metadata: {}, items: rows.map((row) => row.object) });
}

/** The API that a request is for, if it can be asked that. */
function apiAt(apis: readonly Api[], { group, version, resource: plural, subresource, namespace, name, verb }: ResourceRequest): Api {
  const found = apis.find(({ resource }) => resource.group === group && resource.version === version && resource.plural === plural);
  const isElsewhere = found?.resource.scope === "Cluster" ? namespace !== undefined : namespace === undefined && name !== undefined;
  if (found === undefined || isElsewhere || subresource !== undefined)
    throw refusal("NotFound", "the server could not find the requested resource");
  if (!found.verbs.some((each) => each === verb)) throw notAllowed();
  return found;
}

async function questionOf(
  api: Api,
  labelSelector: Selector,
  { info, user, signal }: Asked,
  options: ApiHandlerOptions,
): Promise<AnyApiQuestion> {
  const { mirrors, clock = systemClock } = options;
  const cached = mirrors === undefined || api.watches.length === 0 ? noCache(api) : await mirrors().reads(api, signal);
  const { namespace, name } = info;
  return { ...cached, live: webhookReads(api, options, signal), namespace, name, labelSelector, user, signal, nowMs: clock.now() };
}

/** Those of the objects that were asked for, in the order of their names. Throws a 404 where the one of a name is not among them. */
function chosen(
  { rows }: Extract<ApiReply, { readonly type: "Objects" }>,
  labels: Selector,
  { info: { namespace, name, group, resource }, query }: Asked,
): readonly ApiRow[] {
  const fields = parsed(parseFieldSelector, query.get("fieldSelector"));
  const unknown = fields.requirements.find(({ field }) => field !== "metadata.name" && field !== "metadata.namespace");
  if (unknown !== undefined) throw badRequest(`field label not supported: ${unknown.field}`);
  const found = rows.filter(({ object: { metadata } }) => {
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    if (name !== undefined && metadata.name !== name) return false;
    return labels.matches(metadata.labels) && fields.matches((field) => (field === "metadata.name" ? metadata.name : metadata.namespace));
  });
  if (name !== undefined && found.length === 0) throw notFound({ group, plural: resource }, name);
  return found.toSorted((left, right) => compareGoStrings(keyOf(left), keyOf(right)));
}

function keyOf({ object: { metadata } }: ApiRow): string {
  return objectKey(metadata);
}

/** What a parameter says; a 400 where it cannot be read. */
function parsed<T>(parse: (text: string) => T, text: string | null): T {
  try {
    return parse(text ?? "");
  } catch (error) {
    throw error instanceof ParseError ? badRequest(error.message) : error;
  }
}

function includedIn(query: URLSearchParams): Included {
  const value = query.get("includeObject") ?? "";
  if (value === "None" || value === "Object") return value;
  return "Metadata";
}

function notAllowed(): ApiError {
  return refusal("MethodNotAllowed", "the server does not allow this method on the requested resource");
}
