import { ApiError, bodyFromBytes, refusal, stringifyJson, systemClock } from "@kaji/core";
import type { Clock, StatusReason, Transport, TransportRequest, TransportResponse } from "@kaji/core";
import { remembering } from "../reconcile/forgotten-promises.ts";
import type { Log } from "../log/log.ts";
import { reviewAdmission } from "./admission-review.ts";
import { parseAdmissionRequest } from "./admission-request.ts";
import type { AdmissionReview, HandlerReads } from "./admission-review.ts";
import type { AdmissionEndpoint } from "./admission-endpoint.ts";
import { convertedEndpoints } from "./converted-endpoint.ts";
import { parseConversionRequest, reviewConversion } from "./conversion-review.ts";
import type { ConversionReview } from "./conversion-review.ts";
import type { Conversion } from "../conversion/convert.ts";
import type { ReviewContext, Reviewed } from "./review.ts";
import { noCache } from "./webhook-cache.ts";
import type { WebhookMirrors } from "./webhook-mirrors.ts";
import { conversionPath, kindText } from "./webhook-path.ts";
import { webhookReads } from "./webhook-reads.ts";
import type { WebhookReader } from "./webhook-reads.ts";
import type { Webhook } from "./webhook.ts";

/** What is served, and who is told about it. */
export interface WebhookHandlerOptions {
  readonly webhooks?: readonly Webhook[] | undefined;
  readonly conversions?: readonly Conversion[] | undefined;
  /** Gives the client that webhooks read with; asked for with each read. Default: none, for webhooks that read nothing. */
  readonly reader?: (() => WebhookReader) | undefined;
  /** Gives what webhooks read from memory; asked for with each review. Default: nothing, for webhooks that watch nothing. */
  readonly mirrors?: (() => WebhookMirrors) | undefined;
  /** The namespaces that webhooks read in. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  readonly log?: Log | undefined;
  readonly observer?: WebhookObserver | undefined;
  readonly clock?: Clock | undefined;
}

/** Is told what webhooks do, for metrics. It must not throw. */
export interface WebhookObserver {
  /** A request has come for the path of a webhook. */
  requestBegun(path: string): void;
  /** It has been answered, with a code of HTTP. */
  requestDone(path: string, code: number, durationMs: number): void;
  /** A handler or a mapping failed rather than decided. */
  panicked(path: string): void;
}

/**
 * Answers what an API server asks of webhooks, and `/healthz` and `/readyz`. It is a transport: an HTTPS server serves it, an API server in the
 * same process calls it.
 */
export function webhookHandler(options: WebhookHandlerOptions): Transport {
  const { log, observer, clock = systemClock } = options;
  const routes = routesOf(options);
  return async (request) => {
    const path = request.path.split("?", 1)[0] ?? "";
    if (healthPaths.has(path)) return textResponse(200, "ok");
    const review = routes.get(path);
    if (review === undefined) return statusResponse(refusal("NotFound", `there is no webhook at ${path}`));
    observer?.requestBegun(path);
    const startMs = clock.monotonic();
    const onPanic = (): void => observer?.panicked(path);
    const forgotten = (error: unknown): void => {
      log?.error({ path, err: error }, "unhandled rejection in webhook: a promise was not awaited");
      onPanic();
    };
    const response = await remembering({ forgotten }, () => answer(review, request, onPanic, log));
    const durationMs = clock.monotonic() - startMs;
    observer?.requestDone(path, response.status, durationMs);
    if (request.signal?.aborted === true) log?.warn({ path, durationMs }, "webhook answered too late: the API server had stopped waiting");
    return response;
  };
}

type Review = (text: string, context: ReviewContext) => Promise<Reviewed<AdmissionReview | ConversionReview>>;

const healthPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

function routesOf({ webhooks = [], conversions = [], mirrors, ...reading }: WebhookHandlerOptions): ReadonlyMap<string, Review> {
  const routes = new Map<string, Review>();
  const routeOf = (hook: Webhook, endpoint: AdmissionEndpoint): Review =>
    admissionReview(hook, endpoint, (signal) => ({
      live: webhookReads(hook, reading, signal),
      cached: async () => (mirrors === undefined || hook.watches.length === 0 ? noCache(hook) : mirrors().reads(hook, signal)),
    }));
  for (const hook of webhooks) {
    for (const endpoint of hook.endpoints) {
      if (routes.has(endpoint.path))
        throw new TypeError(`two webhooks of ${kindText(hook.resource)} want to be served at ${endpoint.path}`);
      routes.set(endpoint.path, routeOf(hook, endpoint));
    }
  }
  for (const hook of webhooks) {
    for (const endpoint of convertedEndpoints(hook, conversions)) {
      if (!routes.has(endpoint.path)) routes.set(endpoint.path, routeOf(hook, endpoint));
    }
  }
  if (conversions.length > 0) {
    routes.set(conversionPath, async (text, context) => reviewConversion(conversions, parseConversionRequest(text), context));
  }
  return routes;
}

function admissionReview(
  { matching }: Webhook,
  endpoint: AdmissionEndpoint,
  readsFor: (signal: AbortSignal | undefined) => HandlerReads,
): Review {
  return async (text, context) => {
    const reviewed = await reviewAdmission(endpoint, parseAdmissionRequest(text), { ...context, ...readsFor(context.signal) });
    // An API server does by its policy without an answer, but takes a refusal for one.
    const isIgnored = reviewed.hasPanicked && matching.failurePolicy === "Ignore";
    return isIgnored ? { ...reviewed, failure: reviewed.review.response?.status } : reviewed;
  };
}

async function answer(review: Review, request: TransportRequest, onPanic: () => void, log: Log | undefined): Promise<TransportResponse> {
  try {
    const reviewed = await review(bodyOf(request), { log, signal: request.signal });
    if (reviewed.hasPanicked) onPanic();
    return reviewed.failure === undefined ? jsonResponse(200, reviewed.review) : jsonResponse(500, reviewed.failure);
  } catch (error) {
    if (error instanceof ApiError) return statusResponse(error);
    throw error;
  }
}

function bodyOf({ method, headers, body }: TransportRequest): string {
  if (method !== "POST") throw refusal("MethodNotAllowed", `webhooks are called by POST, not by ${method}`);
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") throw refusal(...unsupported(type));
  if (body === undefined || body.byteLength === 0) throw refusal("BadRequest", "the body is empty");
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

function unsupported(type: string): [StatusReason, string] {
  return ["UnsupportedMediaType", `the content type must be application/json, not "${type}"`];
}

/** A refusal as an HTTP response. */
export function statusResponse(error: ApiError): TransportResponse {
  return jsonResponse(error.code, error.status);
}

/** A document as an HTTP response. */
export function jsonResponse(status: number, body: object, type = "application/json"): TransportResponse {
  return bytesResponse(status, type, stringifyJson(body));
}

function textResponse(status: number, text: string): TransportResponse {
  return bytesResponse(status, "text/plain; charset=utf-8", text);
}

function bytesResponse(status: number, type: string, text: string): TransportResponse {
  const bytes = Buffer.from(text);
  return { status, headers: { "content-type": type, "content-length": String(bytes.byteLength) }, body: bodyFromBytes(bytes) };
}
