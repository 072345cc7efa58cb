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
import {
  accessOf,
  forbiddenAccess,
  negotiate,
  partialMetadata,
  partialMetadataList,
  requestInfo,
  unauthorized,
  withoutOuterSlashes,
} from "@kaji/core/serving";
import type { Credentials, PathRequest, ResourceRequest, ResponseForm, Transform, UserInfo } from "@kaji/core/serving";
import { remembering } from "../reconcile/forgotten-promises.ts";
import { jsonResponse, statusResponse } from "../webhook/webhook-handler.ts";
import { noCache } from "../webhook/webhook-cache.ts";
import { webhookReads } from "../webhook/webhook-reads.ts";
import type { Api, ApiHandlerOptions, ServedHandler } from "./served-api.ts";
import type { AnyApiQuestion, ApiReply } from "./api-question.ts";
import { apiDocument } from "./api-documents.ts";
import { openApiDocument } from "./api-open-api.ts";
import { objectTable } from "./object-table.ts";
import type { ApiRow } from "./object-table.ts";

/** Answers what the API server passes on, requests for the objects of APIs and for what there is of them; `others` answers all else. */
export function apiHandler(options: ApiHandlerOptions, others: ServedHandler): ServedHandler {
  const { log } = options;
  return async (request, credentials = { headers: request.headers }) => {
    const { path } = request;
    if (!isOfApis(path)) return await others(request, credentials);
    const forgotten = (error: unknown): void => log?.error({ path, err: error }, "unhandled rejection in API: a promise was not awaited");
    try {
      return await remembering({ forgotten }, () => answer(request, credentials, options));
    } catch (error) {
      // One that a server sent has been asked for by the operator, and says nothing of who asks the operator.
      if (error instanceof ApiError && error.request === undefined) return statusResponse(error);
      if (request.signal?.aborted !== true) log?.error({ path, err: error }, "API request failed");
      return statusResponse(refusal("InternalError", `the operator cannot answer: ${errorMessage(error)}`));
    }
  };
}

/** Whether a path, with its query, is one below which there are APIs. */
export function isOfApis(path: string): boolean {
  return /^\/+(apis|openapi)(\/|\?|$)/.test(path);
}

async function answer(request: TransportRequest, credentials: Credentials, options: ApiHandlerOptions): Promise<TransportResponse> {
  const { access } = options;
  const [path = "", search = ""] = request.path.split("?", 2);
  const query = new URLSearchParams(search);
  const info = requestInfo(request.method, path, query);
  const user = access.userOf(credentials);
  if (user === undefined) throw unauthorized();
  const wanted = accessOf(info, query);
  if (!(await access.may(user, wanted))) throw forbiddenAccess(user, wanted, "");
  const { method, headers, signal } = request;
  const { accept } = headers;
  return info.type === "Path" ? discover(options.apis, info, accept) : await find({ method, info, query, user, accept, signal }, options);
}

function discover(apis: readonly Api[], { path, verb }: PathRequest, accept: string | undefined): TransportResponse {
  if (verb !== "get") throw notAllowed();
  if (/^\/+openapi\b/.test(path)) {
    formFor(accept, []);
    return jsonResponse(200, openApiDocument(apis, path));
  }
  const { transform } = formFor(accept, withoutOuterSlashes(path) === "apis" ? ["APIGroupDiscoveryList"] : []);
  if (transform === undefined) return jsonResponse(200, apiDocument(apis, path, "Plain"));
  return jsonResponse(200, apiDocument(apis, path, "Aggregated"), "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
}

/** A request of somebody who may send it. */
interface Asked {
  readonly method: TransportRequest["method"];
  readonly info: ResourceRequest;
  readonly query: URLSearchParams;
  readonly user: UserInfo;
  readonly accept: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function find(asked: Asked, options: ApiHandlerOptions): Promise<TransportResponse> {
  const { method, info, query, accept } = asked;
  // Reading is all that HEAD and OPTIONS ask for by their verbs.
  if (method !== "GET") throw notAllowed();
  const found = apiAt(options.apis, info);
  const labelSelector = parsed(parseSelector, query.get("labelSelector"));
  const reply = await found.reply(await questionOf(found, labelSelector, asked, options));
  if (reply.type === "Document") {
    formFor(accept, []);
    return jsonResponse(200, reply.document);
  }
  const isList = info.name === undefined;
  const form = formFor(accept, ["Table", isList ? "PartialObjectMetadataList" : "PartialObjectMetadata"]);
  const { transform, transformVersion: version } = form;
  const rows = chosen(reply, labelSelector, asked);
  if (transform === "Table") return jsonResponse(200, objectTable(reply.heads, rows, version, query));
  const objects = rows.map(({ object }) => object);
  const [object] = objects;
  if (!isList && object !== undefined) return jsonResponse(200, transform === undefined ? object : partialMetadata(object, version));
  if (transform !== undefined) return jsonResponse(200, partialMetadataList(objects, {}, version));
  const type = { kind: found.resource.listKind, apiVersion: `${info.group}/${info.version}` };
  return jsonResponse(200, { ...type, metadata: {}, items: objects });
}

/** The API that a request is for, if it can be asked that. */
function apiAt(apis: readonly Api[], info: ResourceRequest): Api {
  const { group, version, subresource, subpath, namespace, name, verb } = info;
  const plural = subresource === undefined ? info.resource : `${info.resource}/${subresource}`;
  const found = apis.find(({ resource }) => resource.group === group && resource.version === version && resource.plural === plural);
  const isElsewhere = found?.resource.scope === "Cluster" ? namespace !== undefined : namespace === undefined && name !== undefined;
  if (found === undefined || isElsewhere || subpath !== undefined)
    throw refusal("NotFound", "the server could not find the requested resource");
  if (!found.verbs.some((each) => each === verb)) throw notAllowed();
  return found;
}

async function questionOf(
  api: Api,
  labelSelector: Selector,
  { info, query, user, signal }: Asked,
  options: ApiHandlerOptions,
): Promise<AnyApiQuestion> {
  const { mirrors, clock = systemClock } = options;
  const cached = mirrors === undefined || api.watches.length === 0 ? noCache(api) : await mirrors().reads(api, signal);
  const { namespace, name } = info;
  const metricLabelSelector = parsed(parseSelector, query.get("metricLabelSelector"));
  const selected = { namespace, name, labelSelector, metricLabelSelector };
  return { ...cached, ...selected, live: webhookReads(api, options, signal), user, signal, nowMs: clock.now() };
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

/** The form of an answer, which is JSON. */
function formFor(accept: string | undefined, transforms: readonly Transform[]): ResponseForm {
  return negotiate(accept, transforms, ["json"], ["application/json"]);
}

function notAllowed(): ApiError {
  return refusal("MethodNotAllowed", "the server does not allow this method on the requested resource");
}
