import { bodyText, isJsonObject, parseJson, stringifyJson } from "@kaji/core";
import type { Clock, JsonObject, JsonValue, TransportRequest } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ApiServer } from "../api-server.ts";
import type { ApiServerOptions } from "../api-server.ts";
import { deducedSchema } from "../apply/merge-schema.ts";
import { createCrdKind } from "../custom/definition/crd-kind.ts";
import { serveCustomKinds } from "../custom/serve-custom-kinds.ts";
import { openSchema } from "../server-schemas.ts";
import { createMemoryStorage } from "../storage/memory-storage.ts";
import type { Storage } from "../storage/storage.ts";

/** A server of definitions and the kinds they define, in memory. */
export interface CustomServer extends AsyncDisposable {
  readonly server: ApiServer;
  readonly storage: Storage;
  readonly clock: ManualClock;
  call(
    method: TransportRequest["method"],
    path: string,
    body?: JsonValue,
    headers?: Readonly<Record<string, string>>,
  ): Promise<CustomAnswer>;
}

/** An answer, read to its end. */
export interface CustomAnswer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** Starts such a server, under a clock that stands still. A storage that is given stays open. */
export function startCustomServer(options: Partial<Pick<ApiServerOptions, "admission" | "kinds" | "storage">> = {}): CustomServer {
  const clock = new ManualClock();
  const { storage = createMemoryStorage({ clock }), kinds = [], admission = [] } = options;
  const crdKind = createCrdKind({ schema: openSchema, mergeSchema: deducedSchema });
  const server = new ApiServer({ storage, kinds: [crdKind, ...kinds], admission, clock, random: seededRandom(1) });
  const send = server.transport();
  const custom = serveCustomKinds(server, crdKind);
  return {
    server,
    storage,
    clock,
    async call(method, path, body, headers = {}) {
      const bytes = body === undefined ? undefined : new TextEncoder().encode(stringifyJson(body));
      const response = await send({
        method,
        path,
        headers: { "content-type": "application/json", "user-agent": "test", ...headers },
        body: bytes,
      });
      return {
        code: response.status,
        body: parsed(await bodyText(response.body)),
        warnings: warningsOf(response.headers["warning"]),
      };
    },
    async [Symbol.asyncDispose]() {
      await custom[Symbol.asyncDispose]();
      if (options.storage === undefined) await server[Symbol.asyncDispose]();
    },
  };
}

/** The texts in `Warning` headers. */
export function warningsOf(header: string | readonly string[] | undefined): readonly string[] {
  const joined = typeof header === "string" ? header : (header ?? []).join(", ");
  return [...joined.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => String(JSON.parse(text)));
}

/** A clock on which nothing takes time: for playing vectors on a server that need not be waited for. */
export function instantClock(): Clock {
  const clock = new ManualClock();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    timer: (delayMs, callback) => clock.timer(delayMs, callback),
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function parsed(text: string): JsonObject {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
