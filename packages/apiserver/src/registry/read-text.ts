import { notFound } from "@kaji/core";
import { askedOptions } from "../request/asked-options.ts";
import type { TextSubresource } from "../subresource.ts";
import type { RequestContext } from "../request/request-context.ts";
import { bytesResponse } from "../response/api-response.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { messagesResponse } from "../response/messages-response.ts";
import { wantsWebSocket } from "../response/web-socket-response.ts";
import type { Registry } from "./registry.ts";
import { strategyContext } from "./stored-objects.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** In which each message is text in base64, for clients that have no bytes. */
const textualProtocol = "base64.binary.k8s.io";

const textProtocols: readonly string[] = ["binary.k8s.io", textualProtocol, ""];

/** GET on a subresource that is plain text, whatever the client would rather have, as a response or in the messages of a WebSocket. */
export async function readText(registry: Registry, target: Target, text: TextSubresource, context: RequestContext): Promise<ApiResponse> {
  const name = requiredName(target);
  const stored = await registry.store(target.kind, target.version).read(target.namespace, name);
  if (stored === undefined) throw notFound(target.kind, name);
  const options = askedOptions(text.options, context.query);
  const readFor = (request: RequestContext): ReturnType<TextSubresource["read"]> =>
    text.read(stored.object, options, strategyContext(registry, request));
  if (wantsWebSocket(context.headers)) return textInMessages(context, readFor);
  const read = await readFor(context);
  if (typeof read === "string") return bytesResponse(200, "text/plain", Buffer.from(read));
  return { status: 200, headers: { "cache-control": "no-cache, private", "content-type": "text/plain" }, body: read, isLive: true };
}

/** The text in the messages of a WebSocket. */
function textInMessages(
  context: RequestContext,
  read: (context: RequestContext) => ReturnType<TextSubresource["read"]>,
): Promise<ApiResponse> {
  return messagesResponse(context, textProtocols, async (request) => {
    const text = await read(request);
    return async (socket, protocol) => {
      for await (const piece of typeof text === "string" ? [Buffer.from(text)] : text) {
        if (protocol === textualProtocol) await socket.sendText(Buffer.from(Buffer.from(piece).toString("base64")));
        else await socket.send(piece);
      }
    };
  });
}
