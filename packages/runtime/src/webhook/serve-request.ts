import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ApiError, refusal } from "@kaji/core";
import type { Clock, TransportRequest, TransportResponse } from "@kaji/core";
import type { ClientCertificate } from "@kaji/core/serving";
import { isOfApis } from "../api/api-handler.ts";
import type { ServedHandler } from "../api/served-api.ts";
import type { Log } from "../log/log.ts";
import type { HeldBytes, Hold } from "./held-bytes.ts";
import { statusResponse } from "./webhook-handler.ts";

/**
 * A review has an object and the one before it, each of which an API server limits to 3 MiB. It asks for the conversion of each object as it reads
 * it, so that such a request is no larger.
 */
const largestBody = 7 * 1024 * 1024;
/** Of all requests together: what is made of a body may take a dozen times its bytes, in a container that has a few hundred megabytes. */
export const mostHeldBytes: number = 16 * 1024 * 1024;
/** How long a body may take to arrive, and an answer to be taken: API servers wait for 30 s at most. */
const transferMs = 32_000;

/** What requests are answered with. */
export interface Serving {
  readonly handler: ServedHandler;
  readonly log: Log | undefined;
  readonly clock: Clock;
  /** What the bodies of all requests under way have in common. */
  readonly held: HeldBytes;
  /** Whether the server is about to end. */
  readonly isClosing: () => boolean;
  /** What a client has shown on its connection. */
  readonly certificateOf: (socket: Socket) => ClientCertificate | undefined;
}

/** Answers one request by a transport. Nothing that goes wrong with it goes further than its response. */
export function serveRequest(request: IncomingMessage, response: ServerResponse, serving: Serving): void {
  const gone = new AbortController();
  const closed = new Promise<void>((resolve) => {
    response.once("close", () => {
      if (!response.writableEnded) gone.abort(new Error("client disconnected"));
      resolve();
    });
  });
  exchange(request, response, serving, { signal: gone.signal, closed }).catch((error: unknown) => {
    if (gone.signal.aborted) return;
    serving.log?.error({ path: request.url, err: error }, "webhook request failed");
    response.destroy();
  });
}

/** How the end of a connection is noticed. */
interface Fate {
  /** Aborted when the client leaves before it has its answer. */
  readonly signal: AbortSignal;
  /** Resolves when the answer has been taken, or never will be. */
  readonly closed: Promise<void>;
}

async function exchange(request: IncomingMessage, response: ServerResponse, serving: Serving, { signal, closed }: Fate): Promise<void> {
  using hold = serving.held.open();
  const answer = await answerTo(request, serving, hold, signal);
  // `connection: close` makes the API server open a new connection for its next request: to a replica that still serves, or, where it was not
  // known, since it shows its certificate only as it connects, and was perhaps not asked for that one yet.
  if (serving.isClosing() || answer.status === 401) response.setHeader("connection", "close");
  response.writeHead(answer.status, { ...answer.headers } as Record<string, string>);
  for await (const piece of answer.body) response.write(piece);
  response.end();
  using _cut = serving.clock.timer(transferMs, () => response.destroy());
  await closed;
}

async function answerTo(request: IncomingMessage, serving: Serving, hold: Hold, signal: AbortSignal): Promise<TransportResponse> {
  const { method = "GET", url = "/" } = request;
  try {
    // Nobody needs a body to read an API, and who sends it is not known yet.
    const reading = isOfApis(url) ? emptied(request) : readBody(request, hold);
    const body = await arrived(request, serving.clock, reading);
    const headers = headersOf(request);
    const credentials = { headers, rawHeaders: request.rawHeaders, certificate: serving.certificateOf(request.socket) };
    return await serving.handler({ method: method as TransportRequest["method"], path: url, headers, body, signal }, credentials);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const refused = statusResponse(error);
    if (error.reason !== "TooManyRequests") return refused;
    serving.log?.warn({ path: url, err: error }, "webhook request refused");
    return { ...refused, headers: { ...refused.headers, "retry-after": "1" } };
  }
}

/** Cuts off a client that sends its request too slowly. */
async function arrived<T>(request: IncomingMessage, clock: Clock, body: Promise<T>): Promise<T> {
  using _cut = clock.timer(transferMs, () => request.destroy());
  return await body;
}

/** Reads a body to its end, even one that is not kept: the client sends before it listens. */
async function readBody(request: IncomingMessage, hold: Hold): Promise<Uint8Array | undefined> {
  const fits = (bytes: number): boolean => bytes <= largestBody && hold.resize(bytes);
  // Room for all of it from the beginning: requests that each have a part of theirs would wait for each other.
  const declared = Number(request.headers["content-length"] ?? 0);
  let isKept = fits(declared);
  let size = 0;
  const pieces: Uint8Array[] = [];
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    isKept &&= size <= declared || fits(size);
    if (isKept) {
      pieces.push(piece);
    } else {
      pieces.length = 0;
      hold.resize(0);
    }
  }
  if (isKept) return size === 0 ? undefined : Buffer.concat(pieces, size);
  if (size > largestBody) throw refusal("RequestEntityTooLarge", `the body has ${size} bytes, and at most ${largestBody} are read`);
  throw refusal("TooManyRequests", `the body has ${size} bytes, for which there is no room beside those of other requests`);
}

/** Reads a body to its end and keeps nothing of it. */
async function emptied(request: IncomingMessage): Promise<undefined> {
  for await (const _piece of request as AsyncIterable<Uint8Array>);
  return undefined;
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}
