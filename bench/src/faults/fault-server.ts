import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, stringifyJson } from "@kaji/core";
import type { ScriptedServer } from "@kaji/informer/testing";
import { Widget } from "../informer/widget.ts";

/** A scripted server on a port of loopback. What breaks there, breaks here. */
export class FaultServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #scripted: ScriptedServer;

  constructor(scripted: ScriptedServer) {
    this.#scripted = scripted;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => fail(response, error));
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => gone.abort(new Error("the client has gone")));
    const query = new URL(request.url ?? "", this.url).searchParams;
    const text = (name: string): Readonly<Record<string, string>> => {
      const value = query.get(name);
      return value === null || value === "" ? {} : { [name]: value };
    };
    const collection = this.#scripted.source(Widget, {});
    const { signal } = gone;
    if (query.get("watch") !== "true") {
      const body = await collection.list({ limit: Number(query.get("limit") ?? 1e9), ...text("continue"), signal });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
      return;
    }
    const sendInitialEvents = query.get("sendInitialEvents") === "true";
    const options = { allowWatchBookmarks: true, timeoutSeconds: 600, sendInitialEvents, ...text("resourceVersion"), signal };
    const events = await collection.watch(options);
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    for await (const bytes of events) response.write(bytes);
    response.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** A refusal as an API server writes it; anything else is a reset. */
function fail(response: ServerResponse, error: unknown): void {
  if (!(error instanceof ApiError) || response.headersSent) {
    response.socket?.resetAndDestroy();
    return;
  }
  const retryAfter = error.details?.retryAfterSeconds;
  const headers = { "content-type": "application/json", ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }) };
  response.writeHead(error.code, headers).end(stringifyJson(error.status));
}
