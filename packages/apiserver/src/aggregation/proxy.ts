import { ParseError, parseDuration, refusal } from "@kaji/core";
import type { RequestContext } from "../request/request-context.ts";
import { textResponse } from "../response/api-response.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { goNetworkError } from "../webhooks/go-network-error.ts";
import type { ApiService } from "./api-service.ts";
import { UnresolvedServiceError } from "./extension-caller.ts";
import type { ExtensionResponse, ExtensionCaller } from "./extension-caller.ts";
import { responseHeaders, frontProxyHeaders } from "./front-proxy-headers.ts";

/** How long an extension server may take to begin its response, unless the client has less patience. */
const patienceMs = 60_000;

/** Has an extension server answer a request, and passes on what it says as it says it. */
export async function proxy(caller: ExtensionCaller, service: ApiService, context: RequestContext): Promise<ApiResponse> {
  const { remote, isAvailable } = service;
  if (remote === undefined || !isAvailable) return unavailable("service unavailable");
  const { method, info, query, headers, user, body, clock } = context;
  const path = `${encodeURI(info.path).replaceAll("?", "%3F").replaceAll("#", "%23")}${query.size === 0 ? "" : `?${query.toString()}`}`;
  const late = new AbortController();
  const signal = context.signal === undefined ? late.signal : AbortSignal.any([context.signal, late.signal]);
  const limit = info.verb === "watch" ? undefined : clock.timer(limitOf(query), () => late.abort());
  try {
    const request = { method, path, body, signal, headers: frontProxyHeaders(headers, user), upgrade: wantedUpgrade(headers) };
    return passedOn(await caller.call(remote, request), method, signal);
  } catch (error) {
    if (late.signal.aborted) throw refusal("Timeout", "Timeout: request did not complete within the allotted timeout", {});
    if (error instanceof UnresolvedServiceError) return unavailable("service unavailable");
    const why = signal.aborted ? "context canceled" : goNetworkError(error);
    return unavailable(`error trying to reach service: ${why}`);
  } finally {
    limit?.[Symbol.dispose]();
  }
}

function limitOf(query: URLSearchParams): number {
  try {
    const wantedMs = Number(parseDuration(query.get("timeout") ?? "") / 1_000_000n);
    return wantedMs > 0 ? Math.min(wantedMs, patienceMs) : patienceMs;
  } catch (error) {
    if (error instanceof ParseError) return patienceMs;
    throw error;
  }
}

/** The protocol that a client wants to go on in, if it does. */
function wantedUpgrade({ connection = "", upgrade }: RequestContext["headers"]): string | undefined {
  return /\bupgrade\b/i.test(connection) ? upgrade : undefined;
}

function passedOn({ status, headers, body, tunnel }: ExtensionResponse, method: string, signal: AbortSignal): ApiResponse {
  const kept = responseHeaders(headers);
  if (tunnel !== undefined) {
    const agreed = { ...kept, connection: "Upgrade", ...(headers["upgrade"] === undefined ? {} : { upgrade: headers["upgrade"] }) };
    return { status, headers: agreed, body: new Uint8Array(), isLive: true, tunnel };
  }
  if (method === "HEAD") void drained(body);
  // Whatever does not say how long it is may be a watch, whose pieces do not wait for each other.
  return { status, headers: kept, body: untilGone(body, signal), isLive: kept["content-length"] === undefined };
}

/** A client that has gone is no failure of the body. */
async function* untilGone(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function drained(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch {
    // The client has gone.
  }
}

function unavailable(text: string): ApiResponse {
  const response = textResponse(503, `${text}\n`);
  return { ...response, headers: { ...response.headers, "x-content-type-options": "nosniff" } };
}
