import { createMemoryStorage } from "@kaji/apiserver";
import type { ApiServer, RequestRecord } from "@kaji/apiserver";
import { bodyFromBytes, bodyText, isJsonObject, parseJson, stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue, Transport, TransportRequest } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createApiServer } from "../create-api-server.ts";
import type { ClusterServerOptions } from "../create-api-server.ts";

/** An API server in memory with a namespace `default`, and a way to call it. */
export interface AdmissionRig extends AsyncDisposable {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  /** All requests that have been answered. */
  readonly records: readonly RequestRecord[];
  call(method: TransportRequest["method"], path: string, body?: JsonValue): Promise<RigAnswer>;
}

/** An answer, read to its end. */
export interface RigAnswer {
  readonly status: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** Starts such a server, under a clock that stands still. */
export async function startAdmissionRig(options: Partial<ClusterServerOptions> = {}): Promise<AdmissionRig> {
  const clock = new ManualClock();
  const records: RequestRecord[] = [];
  const observe = (record: RequestRecord): void => void records.push(record);
  const server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1), observe, ...options });
  const send = server.transport();
  const rig: AdmissionRig = {
    server,
    clock,
    records,
    call: (method, path, body) => call(send, method, path, body),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  await rig.call("POST", "/api/v1/namespaces", { metadata: { name: "default" } });
  return rig;
}

async function call(send: Transport, method: TransportRequest["method"], path: string, body: JsonValue | undefined): Promise<RigAnswer> {
  const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const bytes = body === undefined ? undefined : Buffer.from(stringifyJson(body));
  const response = await send({ method, path, headers: { "content-type": contentType, "user-agent": "test" }, body: bytes });
  const value = parseJson(await bodyText(response.body));
  return { status: response.status, body: isJsonObject(value) ? value : {}, warnings: [response.headers["warning"] ?? []].flat() };
}

/** The review that a webhook was sent. */
export function reviewIn(body: Uint8Array | undefined): JsonObject {
  return asObject(parseJson(Buffer.from(body ?? []).toString("utf8")));
}

/** A webhook in the same process that answers each review of admission by a function of its request. */
export function admissionWebhook(answer: (request: JsonObject) => JsonObject | Promise<JsonObject>): Transport {
  return async ({ body }) => {
    const { kind = "", apiVersion = "", request = null } = reviewIn(body);
    const { uid = "" } = asObject(request);
    return respond({ kind, apiVersion, response: { uid, ...(await answer(asObject(request))) } });
  };
}

/** A successful answer of a webhook. */
export function respond(value: JsonValue): Awaited<ReturnType<Transport>> {
  return { status: 200, headers: { "content-type": "application/json" }, body: bodyFromBytes(Buffer.from(stringifyJson(value))) };
}

/** A value, if it is an object. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
