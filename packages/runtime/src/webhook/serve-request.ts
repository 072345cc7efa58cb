import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, refusal } from "@kaji/core";
import type { Transport, TransportRequest, TransportResponse } from "@kaji/core";
import type { Log } from "../log/log.ts";
import { conversionPath } from "./webhook-path.ts";
import { statusResponse } from "./webhook-handler.ts";

/** A review has an object and the one before it, each of which an API server limits to a few megabytes. */
const largestReview = 7 * 1024 * 1024;
/** A conversion may be of a whole list. */
const largestConversion = 256 * 1024 * 1024;

/** What requests are answered with. */
export interface Serving {
  readonly handler: Transport;
  readonly log: Log | undefined;
  /** Whether the server is about to end. */
  readonly isClosing: () => boolean;
}

/** Answers one request by a transport. Nothing that goes wrong with it goes further than its response. */
export function serveRequest(request: IncomingMessage, response: ServerResponse, serving: Serving): void {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) gone.abort(new Error("client disconnected"));
  });
  exchange(request, response, serving, gone.signal).catch((error: unknown) => {
    if (gone.signal.aborted) return;
    serving.log?.error({ path: request.url, err: error }, "webhook request failed");
    response.destroy();
  });
}

async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  { handler, isClosing }: Serving,
  signal: AbortSignal,
): Promise<void> {
  const answer = await answerTo(handler, request, signal);
  // `connection: close` makes the API server open a new connection for its next request, to a replica that still serves.
  if (isClosing()) response.setHeader("connection", "close");
  response.writeHead(answer.status, { ...answer.headers } as Record<string, string>);
  for await (const piece of answer.body) response.write(piece);
  response.end();
}

async function answerTo(handler: Transport, request: IncomingMessage, signal: AbortSignal): Promise<TransportResponse> {
  const { method = "GET", url = "/" } = request;
  try {
    const body = await readBody(request, url.startsWith(conversionPath) ? largestConversion : largestReview);
    return await handler({ method: method as TransportRequest["method"], path: url, headers: headersOf(request), body, signal });
  } catch (error) {
    if (error instanceof ApiError) return statusResponse(error);
    throw error;
  }
}

/** Reads a body to its end, even one that is too large: the client sends before it listens. */
async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size <= limit) pieces.push(piece);
  }
  if (size > limit) throw refusal("RequestEntityTooLarge", `the body has ${size} bytes, and at most ${limit} are read`);
  return size === 0 ? undefined : Buffer.concat(pieces, size);
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}
