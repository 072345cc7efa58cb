import { ApiError, bytesText, isRecord, parseJson, statusOf } from "@kaji/core";
import type { FailedRequest, Status, StatusReason, TransportResponse } from "@kaji/core";
import { retryAfterSeconds as secondsOf } from "../retry/retry-after.ts";

/**
 * The refusal that a response says: its Status, or what its code means if something else than an API server has answered. When to try again is
 * in its details, whether the header or the Status said it.
 */
export function refusalOf(response: Pick<TransportResponse, "status" | "headers">, body: Uint8Array, request: FailedRequest): ApiError {
  const text = bytesText(body);
  const status = parseStatus(text) ?? statusOfCode(response.status, text, request);
  const retryAfterSeconds = status.details?.retryAfterSeconds ?? secondsOf(response.headers["retry-after"]);
  const details = retryAfterSeconds === undefined ? status.details : { ...status.details, retryAfterSeconds };
  return new ApiError(details === status.details || details === undefined ? status : { ...status, details }, { request });
}

function parseStatus(text: string): Status | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // Not JSON, so not a Status.
    return undefined;
  }
  return isRecord(value) && value["kind"] === "Status" ? statusOf(value) : undefined;
}

/** As client-go has it: what a proxy or an old server leaves unsaid follows from the code. */
function statusOfCode(code: number, text: string, { verb }: FailedRequest): Status {
  const [reason, message] = meaningOf(code, verb);
  const said = text.trim().slice(0, longestQuote);
  return {
    apiVersion: "v1",
    kind: "Status",
    metadata: {},
    status: "Failure",
    code,
    ...(reason === "" ? {} : { reason }),
    message: code === 403 || code === 415 || code >= 500 ? `${message}: ${said === "" ? `status ${code}` : said}` : message,
    details: said === "" ? {} : { causes: [{ reason: "UnexpectedServerResponse", message: said }] },
  };
}

/** An error page of a proxy may be long; its beginning says what it is. */
const longestQuote = 256;

function meaningOf(code: number, method: string): readonly [StatusReason, string] {
  if (code === 409) return [method === "POST" ? "AlreadyExists" : "Conflict", "the server reported a conflict"];
  const known = meanings[code];
  if (known !== undefined) return known;
  if (code >= 500) return ["InternalError", "an error on the server has prevented the request from succeeding"];
  return ["", `the server answered with the status code ${code} and no more information`];
}

const meanings: Readonly<Record<number, readonly [StatusReason, string]>> = {
  400: ["BadRequest", "the server rejected the request for an unknown reason"],
  401: ["Unauthorized", "the server asks for credentials"],
  403: ["Forbidden", "the server does not allow the request"],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  406: ["NotAcceptable", "the server cannot answer in a form that the client reads"],
  410: ["Gone", "the server no longer has what was asked for"],
  413: ["RequestEntityTooLarge", "the request is too large for the server"],
  415: ["UnsupportedMediaType", "the server does not read this type of content"],
  422: ["Invalid", "the server rejected the request for an error in it"],
  429: ["TooManyRequests", "the server has received too many requests and asks to try again later"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: ["Timeout", "the server did not answer in its time, but may still be processing the request"],
};
