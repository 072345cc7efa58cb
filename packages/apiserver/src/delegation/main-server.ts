import { ApiError, bodyText, isJsonObject, parseJson, statusOf, stringifyJson } from "@kaji/core";
import type { JsonObject, Transport, TransportRequest } from "@kaji/core";

/** Sends one request to the server that an extension server stands behind, and returns the object it answers with; a refusal is thrown. */
export async function askMainServer(
  transport: Transport,
  method: TransportRequest["method"],
  path: string,
  object?: JsonObject,
): Promise<JsonObject> {
  const headers = { accept: "application/json", ...(object === undefined ? {} : { "content-type": "application/json" }) };
  const body = object === undefined ? undefined : Buffer.from(stringifyJson(object));
  const response = await transport({ method, path, headers, body });
  const text = await bodyText(response.body);
  const value = text.startsWith("{") ? parseJson(text) : null;
  if (!isJsonObject(value)) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  if (response.status >= 400) throw new ApiError(statusOf(value), { request: { verb: method, path } });
  return value;
}
