import { abortable } from "@kaji/core";
import type { ByteSink, Transport } from "@kaji/core";
import { WebSocketSession, acceptanceOf } from "@kaji/core/web-socket";

/** What a scripted server has in its hands while a WebSocket is open. */
export interface ServedWebSocket {
  readonly path: string;
  readonly socket: WebSocketSession;
}

/** A connection in one direction, with room for so many pieces. */
function pipe(pieces: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({}, { highWaterMark: pieces }, { highWaterMark: pieces });
}

/** How it answers. */
export interface WebSocketAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** How many pieces may be under way in each direction. Default room for all that is said. */
  readonly pieces?: number;
}

/** A server that agrees to every WebSocket and follows a script, until that ends. */
export function webSocketServer(script: (served: ServedWebSocket) => Promise<void>, { headers, pieces = 100 }: WebSocketAnswer): Transport {
  return async ({ path, headers: asked, signal }) => {
    const [toClient, toServer] = [pipe(pieces), pipe(pieces)];
    const back = sinkOf(toClient);
    const socket = new WebSocketSession(toServer.readable, back);
    void script({ path, socket }).finally(() => back.end());
    const agreed = { "sec-websocket-accept": acceptanceOf(asked["sec-websocket-key"] ?? "") };
    const body = aborted(toClient.readable, signal);
    return { status: 101, headers: { ...agreed, ...headers }, body, upstream: sinkOf(toServer, signal) };
  };
}

/** A sink that loses what has not been taken when its request is aborted. */
function sinkOf({ writable }: TransformStream<Uint8Array>, signal?: AbortSignal): ByteSink {
  const writer = writable.getWriter();
  return { write: (bytes) => abortable(writer.write(bytes), signal).catch(() => {}), end: () => void writer.close().catch(() => {}) };
}

/** A body that breaks when its request is aborted. */
function aborted(body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  return signal === undefined ? body : body.pipeThrough(new TransformStream(), { signal });
}
