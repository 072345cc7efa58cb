import type { Duplex } from "node:stream";
import { stringifyJson } from "@kaji/core";

/** A response of the server: whole, or with a body that goes on. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Whether a line feed follows the bytes on the network, as of all JSON that is not for people. They are not copied for it. Default false. */
  readonly isLine?: boolean;
  /** Whether the body goes on as things happen, until the server or the client ends it: a watch. Default false. */
  readonly isLive?: boolean;
  /** What the connection is joined to from now on, where both sides have agreed on another protocol. */
  readonly tunnel?: Duplex;
}

const encoder = new TextEncoder();

/** JSON, all at once. */
export function jsonResponse(status: number, value: unknown): ApiResponse {
  return bytesResponse(status, "application/json", encoder.encode(`${stringifyJson(value)}\n`));
}

/** JSON for people, whoever asks: indented, and without a line feed. */
export function indentedResponse(status: number, value: unknown): ApiResponse {
  return bytesResponse(status, "application/json", encoder.encode(stringifyJson(value, 2)));
}

/** Plain text that browsers must take for nothing else. */
export function plainTextResponse(status: number, text: string): ApiResponse {
  const response = textResponse(status, text);
  return { ...response, headers: { ...response.headers, "x-content-type-options": "nosniff" } };
}

/** Plain text, such as `ok`. */
export function textResponse(status: number, text: string): ApiResponse {
  return bytesResponse(status, "text/plain; charset=utf-8", encoder.encode(text));
}

/** Bytes of a known type, all at once. */
export function bytesResponse(status: number, contentType: string, body: Uint8Array): ApiResponse {
  return { status, headers: { "cache-control": "no-cache, private", "content-type": contentType }, body };
}
