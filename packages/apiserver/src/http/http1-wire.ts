import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Duplex } from "node:stream";
import type { Wire } from "./wire.ts";
import type { HttpLimits } from "./http-limits.ts";

/** What a listener decides about its HTTP/1.1 connections. */
export interface Http1Options {
  readonly limits: HttpLimits;
  /** Whether the listener is closing, so that connections end with the response under way. */
  readonly isClosing: () => boolean;
  /** Whether a response is under way on a connection. */
  readonly isAnswering: (connection: Duplex) => boolean;
}

/** A server for HTTP/1.1 connections that others accept: they are handed to it as `connection` events. */
export function createHttp1Server({ limits, isClosing, isAnswering }: Http1Options, onExchange: (wire: Wire) => void): Server {
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
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuseBroken(error.code, socket, isAnswering(socket)));
  server.on("upgrade", (request, socket, head) => onExchange(upgradeWire(request, socket, head, isClosing)));
  // By default Node drops the headers beyond the two thousandth without a word; their bytes are limited all the same.
  server.maxHeadersCount = 0;
  // A server begins to look after the time limits of its connections when it listens, which this one never does.
  server.emit("listening");
  return server;
}

const brokenStatus: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Answers what is no request as Node does by itself, but reads on: a connection that is cut while the client still sends is reset, and the client never sees the answer. */
function refuseBroken(code: string | undefined, socket: Duplex, isAnswering: boolean): void {
  if (!socket.writable || isAnswering) return void socket.destroy();
  socket.on("error", () => {}); // It closes then, which is all that matters here.
  socket.end(`HTTP/1.1 ${brokenStatus[code ?? ""] ?? "400 Bad Request"}\r\nConnection: close\r\n\r\n`);
  let left = mostDropped;
  socket.on("data", (piece: Uint8Array) => {
    left -= piece.byteLength;
    if (left < 0) socket.destroy();
  });
  if (socket instanceof process.getBuiltinModule("node:net").Socket) socket.setTimeout(lingerMs, () => socket.destroy());
}

/** How much of what is no request is read and dropped, and how long a client may be silent before it closes its side. */
const mostDropped = 16 * 1024 ** 2;
const lingerMs = 5000;

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

/** A request to go on in another protocol: Node has let go of its connection. Unless that is agreed to, the answer is the last thing that is said on it. */
function upgradeWire(request: IncomingMessage, socket: Duplex, head: Buffer, isClosing: () => boolean): Wire {
  const response = new (process.getBuiltinModule("node:http").ServerResponse)(request);
  socket.on("error", () => {}); // It closes then, which is all that matters here.
  response.assignSocket(request.socket);
  response.shouldKeepAlive = false;
  // A response that Node's server looks after closes when it is finished; so does this one.
  const hangUp = (): void => {
    response.detachSocket(request.socket);
    response.emit("close");
    socket.end();
  };
  response.once("finish", hangUp);
  return {
    ...wireOf(request, response, isClosing),
    input: Readable.from([]),
    takeConnection() {
      response.off("finish", hangUp);
      response.detachSocket(request.socket);
      socket.once("close", () => response.emit("close"));
      if (head.length > 0) socket.unshift(head);
      return socket;
    },
  };
}
