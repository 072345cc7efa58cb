import { parseJson } from "../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/json.ts";
import type { DynamicObject, KubeObject } from "./kube-object.ts";

/** What came from a parser or a schema as the JSON that it is, its fields no longer known to the compiler. */
export function jsonOf(objects: readonly object[]): JsonArray;
export function jsonOf(object: object): JsonObject;
export function jsonOf(value: object): JsonArray | JsonObject {
  return value as JsonArray | JsonObject;
}

/** The value as an object of whatever kind: it was stored as one, or merged, converted or otherwise made of others. */
export function objectOf(value: JsonValue | KubeObject): DynamicObject {
  return value as DynamicObject;
}

/** Reads JSON from UTF-8, without a copy of the bytes. */
export function parseJsonBytes(bytes: Uint8Array): JsonValue {
  return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
}
