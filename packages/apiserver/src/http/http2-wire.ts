import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Clock } from "@kaji/core";
import type { Wire } from "./wire.ts";
import type { HttpLimits } from "./http-limits.ts";

/** One client has all its watches on one connection, so that the usual hundred streams are far too few. */
const mostStreams = 10_000;
/** In megabytes: Node's own default of 10 is reached with a few hundred slow watches. */
const sessionMemory = 1024;

/** A server for HTTP/2 connections that others accept: they are handed to it as `connection` events. */
export function createHttp2Server(
  { headerBytes, requestMs, idleMs }: HttpLimits,
  clock: Clock,
  onExchange: (wire: Wire) => void,
): Http2Server {
  const { createServer } = process.getBuiltinModule("node:http2");
  const settings = { maxConcurrentStreams: mostStreams, maxHeaderListSize: headerBytes };
  const server = createServer({ settings, maxSessionMemory: sessionMemory });
  server.on("session", (session) => {
    let openStreams = 0;
    session.on("stream", (stream, headers, _flags, rawHeaders) => {
      openStreams++;
      stream.once("close", () => openStreams--);
      if (!stream.endAfterHeaders) cutIfLate(stream, clock, requestMs);
      onExchange(wireOf(session, stream, headers, rawHeaders));
    });
    session.setTimeout(idleMs, () => {
      if (openStreams === 0) session.close();
    });
  });
  return server;
}

/** NGHTTP2_CANCEL: the answer is not wanted, or not worth waiting for. */
const cancelled = 8;

/** Cuts a stream off whose request does not come to its end in time, as Node does by itself with a connection of HTTP/1.1. */
function cutIfLate(stream: ServerHttp2Stream, clock: Clock, requestMs: number): void {
  const timer = clock.timer(requestMs, () => stream.close(cancelled));
  for (const event of ["end", "close"]) stream.once(event, () => timer[Symbol.dispose]());
}

function wireOf(session: ServerHttp2Session, stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): Wire {
  return {
    method: headers[":method"] ?? "GET",
    path: headers[":path"] ?? "/",
    headers,
    rawHeaders,
    socket: session.socket,
    input: stream,
    output: stream,
    sendHead: (status, responseHeaders) => stream.respond({ ...responseHeaders, ":status": status }),
  };
}
