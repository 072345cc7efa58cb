import { once } from "node:events";
import { request as requestPlain } from "node:http";
import type { Agent, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { connect } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders as Http2Headers } from "node:http2";
import { request as requestTls } from "node:https";
import { PassThrough, pipeline } from "node:stream";

/** What to send, and over what. */
export interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** The authority to believe. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly agent?: Agent;
}

/** A response whose body is read as it comes. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next piece of the body as text; undefined at its end. Throws when the connection was cut. */
  next(): Promise<string | undefined>;
  /** What remains of the body. */
  bytes(): Promise<Buffer>;
  text(): Promise<string>;
  /** Goes away without a word. */
  leave(): void;
}

/** Sends a request over HTTP/1.1. */
export async function sendHttp1(url: string, { body, ...options }: Sent = {}): Promise<Received> {
  const request = url.startsWith("https:") ? requestTls(url, options) : requestPlain(url, options);
  request.end(body);
  const [response]: readonly IncomingMessage[] = await once(request, "response");
  if (response === undefined) throw new TypeError("a response event comes with a response");
  return received(response.statusCode ?? 0, response.headers, response, () => request.destroy());
}

/** A connection that speaks HTTP/2. */
export interface Http2Client extends AsyncDisposable {
  readonly session: ClientHttp2Session;
  send(path: string, sent?: Sent): Promise<Received>;
}

/** Connects by HTTP/2. */
export async function connectHttp2(url: string, options: Pick<Sent, "ca" | "cert" | "key"> = {}): Promise<Http2Client> {
  const session = connect(url, options);
  await once(session, "connect");
  session.on("error", () => {}); // Each stream tells of it, too.
  return {
    session,
    async send(path, { method = "GET", headers = {}, body } = {}) {
      const stream: ClientHttp2Stream = session.request(
        { ":method": method, ":path": path, ...headers },
        { endStream: body === undefined },
      );
      if (body !== undefined) stream.end(body);
      const [responseHeaders = {}]: readonly Http2Headers[] = await once(stream, "response");
      // Node drops what has come of a stream that is over and has no reader yet.
      const responseBody = pipeline(stream, new PassThrough(), () => {});
      return received(Number(responseHeaders[":status"]), responseHeaders, responseBody, () => stream.close(8));
    },
    async [Symbol.asyncDispose]() {
      if (session.destroyed) return;
      session.destroy();
      await once(session, "close");
    },
  };
}

function received(status: number, headers: IncomingHttpHeaders, body: AsyncIterable<Buffer>, leave: () => void): Received {
  const pieces = body[Symbol.asyncIterator]();
  const bytes = async (): Promise<Buffer> => {
    const all: Buffer[] = [];
    for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) all.push(piece.value);
    return Buffer.concat(all);
  };
  return {
    status,
    headers,
    async next() {
      const piece = await pieces.next();
      return piece.done === true ? undefined : piece.value.toString("utf8");
    },
    bytes,
    text: async () => (await bytes()).toString("utf8"),
    leave,
  };
}
