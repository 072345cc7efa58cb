import { ParseError, parseDuration, refusal } from "@kaji/core";
import type { RequestContext } from "../request/request-context.ts";
import { textResponse } from "../response/api-response.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { passedOn, passedPath, wantedUpgrade } from "../http/passed-on.ts";
import { goNetworkError } from "../webhooks/go-network-error.ts";
import type { ApiService } from "./api-service.ts";
import { UnresolvedServiceError } from "./extension-caller.ts";
import type { ExtensionCaller } from "./extension-caller.ts";
import { frontProxyHeaders } from "./front-proxy-headers.ts";

/** How long an extension server may take to begin its response, unless the client has less patience. */
const patienceMs = 60_000;

/** Has an extension server answer a request, and passes on what it says as it says it. */
export async function proxy(caller: ExtensionCaller, service: ApiService, context: RequestContext): Promise<ApiResponse> {
  const { remote, isAvailable } = service;
  if (remote === undefined || !isAvailable) return unavailable("service unavailable");
  const { method, info, query, search, headers, user, body, clock } = context;
  const path = passedPath(info.path, search);
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

function unavailable(text: string): ApiResponse {
  const response = textResponse(503, `${text}\n`);
  return { ...response, headers: { ...response.headers, "x-content-type-options": "nosniff" } };
}
