import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { receivedHeader } from "@kaji/core";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "../response/api-response.ts";
import type { UpgradeResponse } from "./https-call.ts";
import { responseHeaders } from "./passed-headers.ts";
import type { OutgoingHeaders } from "./passed-headers.ts";

/** The response of another server; its body comes as it is sent. */
export interface RemoteResponse {
  readonly status: number;
  readonly headers: OutgoingHeaders;
  readonly body: AsyncIterable<Uint8Array>;
  /** The connection, if it goes on in another protocol. */
  readonly tunnel?: Duplex;
}

/** A path and a query as they are sent on. */
export function passedPath(path: string, search: string): string {
  return `${encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23")}${search === "" ? "" : `?${search}`}`;
}

/** The protocol that a client wants to go on in, if it does. */
export function wantedUpgrade({ connection = "", upgrade }: RequestContext["headers"]): string | undefined {
  return /\bupgrade\b/i.test(connection) ? upgrade : undefined;
}

/** The answer of another server as ours, as it comes. */
export function passedOn({ status, headers, body, tunnel }: RemoteResponse, method: string, signal: AbortSignal): ApiResponse {
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

/** What Node received of another server. */
export function remoteResponse({ response, tunnel }: UpgradeResponse): RemoteResponse {
  const { statusCode: status = 0, headers } = response;
  return { status, headers: present(headers), body: response, ...(tunnel === undefined ? {} : { tunnel }) };
}

function present(headers: IncomingMessage["headers"]): OutgoingHeaders {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, received(value)]])));
}

function received(value: string | readonly string[]): string | readonly string[] {
  return typeof value === "string" ? receivedHeader(value) : value.map(receivedHeader);
}
