import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Wire } from "./http-exchange.ts";
import type { HttpLimits } from "./http-limits.ts";

/** What a listener decides about its HTTP/1.1 connections. */
export interface Http1Options {
  readonly limits: HttpLimits;
  /** Whether the listener is closing, so that connections end with the response under way. */
  readonly isClosing: () => boolean;
}

/** A server for HTTP/1.1 connections that others accept: they are handed to it as `connection` events. */
export function createHttp1Server({ limits, isClosing }: Http1Options, onExchange: (wire: Wire) => void): Server {
  const { headerBytes, headersMs, requestMs, idleMs } = limits;
  // An import statement would load all that is in there, a whole HTTP client among it: a tenth of a server's start.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer(
    {
      maxHeaderSize: headerBytes,
      headersTimeout: headersMs,
      requestTimeout: Math.max(requestMs, headersMs),
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: Math.min(headersMs, requestMs) / 4,
    },
    (request, response) => onExchange(wireOf(request, response, isClosing)),
  );
  // By default Node drops the headers beyond the two thousandth without a word; their bytes are limited all the same.
  server.maxHeadersCount = 0;
  // A server begins to look after the time limits of its connections when it listens, which this one never does.
  server.emit("listening");
  return server;
}

function wireOf(request: IncomingMessage, response: ServerResponse, isClosing: () => boolean): Wire {
  const { method = "GET", url = "/", headers, rawHeaders, socket } = request;
  return {
    method,
    path: url,
    headers,
    rawHeaders,
    socket,
    input: request,
    output: response,
    sendHead(status, responseHeaders) {
      response.writeHead(status, isClosing() ? { ...responseHeaders, connection: "close" } : responseHeaders);
      if (responseHeaders["content-length"] === undefined) response.flushHeaders();
    },
  };
}
