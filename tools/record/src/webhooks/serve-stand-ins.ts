import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { isJsonArray, isJsonObject, parseJson, stringifyJson } from "@kaji/core";
import type { JsonValue, Transport } from "@kaji/core";
import type { Kube } from "@kaji-tools/kube";
import { standInOrigin, standInWebhooks } from "./stand-in-webhooks.ts";

/** Serves the webhooks of scenarios to a real server, by the certificate that it made for itself on the same address. */
export async function serveStandIns(kube: Kube): Promise<AsyncDisposable & { readonly origin: string }> {
  const file = (name: string): Buffer => readFileSync(join(dirname(kube.kubeconfig), "certificates", name));
  const server = createServer(
    { cert: file("apiserver.crt"), key: file("apiserver.key") },
    (request, response) => void answer(request, response),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    origin: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Sends requests in which webhooks are where they really are; in the answers they are again where scenarios say. */
export function withStandIns(send: Transport, origin: string, ca: string): Transport {
  const caBundle = Buffer.from(ca).toString("base64");
  return async (request) => {
    const { body } = request;
    const text = Buffer.from(body ?? []).toString("utf8");
    const sent = text.includes(standInOrigin) ? stringifyJson(withAuthority(parseJson(text), origin, caBundle)) : undefined;
    const response = await send({ ...request, body: sent === undefined ? body : Buffer.from(sent) });
    return { ...response, body: restored(response.body, origin) };
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const { status, headers, body: pieces } = await standInWebhooks({ method: "POST", path: request.url ?? "/", headers: {}, body });
  response.writeHead(status, { "content-type": String(headers["content-type"]) });
  for await (const piece of pieces) response.write(piece);
  response.end();
}

function withAuthority(value: JsonValue, origin: string, caBundle: string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withAuthority(item, origin, caBundle));
  if (!isJsonObject(value)) return value;
  const { url } = value;
  const isStandIn = typeof url === "string" && url.startsWith(standInOrigin);
  const entries = Object.entries(value).map(([key, item = null]): [string, JsonValue] => [key, withAuthority(item, origin, caBundle)]);
  return { ...Object.fromEntries(entries), ...(isStandIn ? { url: url.replace(standInOrigin, origin), caBundle } : {}) };
}

/** Answers, and the events of watches, are lines. */
async function* restored(body: AsyncIterable<Uint8Array>, origin: string): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const piece of body) {
    const lines = (rest + Buffer.from(piece).toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield Buffer.from(`${restoredLine(line, origin)}\n`);
  }
  if (rest !== "") yield Buffer.from(restoredLine(rest, origin));
}

function restoredLine(line: string, origin: string): string {
  return line
    .replaceAll(origin, standInOrigin)
    .replaceAll(/,"caBundle":"[^"]*"/g, "")
    .replaceAll(/"f:caBundle":\{\},?/g, "");
}
