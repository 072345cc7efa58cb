import { notFound } from "@kaji/core";
import type { TextSubresource } from "../subresource.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { WebSocketSession } from "@kaji/core/web-socket";
import { bytesResponse } from "../response/api-response.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { wantsWebSocket, webSocketResponse } from "../response/web-socket-response.ts";
import type { Registry } from "./registry.ts";
import { strategyContext } from "./stored-objects.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

const textProtocols: readonly string[] = ["binary.k8s.io"];

/** GET on a subresource that is plain text, whatever the client would rather have, as a response or in the messages of a WebSocket. */
export async function readText(registry: Registry, target: Target, text: TextSubresource, context: RequestContext): Promise<ApiResponse> {
  const name = requiredName(target);
  const stored = await registry.store(target.kind, target.version).read(target.namespace, name);
  if (stored === undefined) throw notFound(target.kind, name);
  const read = await text.read(stored.object, strategyContext(registry, context));
  if (wantsWebSocket(context.headers)) return webSocketResponse(context, textProtocols, (socket) => sendText(socket, read));
  if (typeof read === "string") return bytesResponse(200, "text/plain", Buffer.from(read));
  return { status: 200, headers: { "cache-control": "no-cache, private", "content-type": "text/plain" }, body: read, isLive: true };
}

async function sendText(socket: WebSocketSession, text: string | AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of typeof text === "string" ? [Buffer.from(text)] : text) await socket.send(piece);
}
