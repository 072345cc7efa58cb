import { ownField } from "../json/copy-on-write.ts";
import type { JsonPatchOperation } from "./json-patch.ts";
import { formatJsonPointer } from "./json-pointer.ts";
import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/json.ts";
import { structuralEqual } from "../json/structural-equal.ts";

/** The JSON patch (RFC 6902) that turns one document into another. What is equal does not appear in it. */
export function createJsonPatch(from: JsonArray | JsonObject, to: JsonArray | JsonObject): readonly JsonPatchOperation[] {
  return [...difference(from, to, [])];
}

function* difference(from: JsonValue, to: JsonValue, path: readonly string[]): Generator<JsonPatchOperation> {
  if (isJsonObject(from) && isJsonObject(to)) yield* objectDifference(from, to, path);
  else if (isJsonArray(from) && isJsonArray(to)) yield* arrayDifference(from, to, path);
  else if (from !== to) yield { op: "replace", path: formatJsonPointer(path), value: to };
}

function* objectDifference(from: JsonObject, to: JsonObject, path: readonly string[]): Generator<JsonPatchOperation> {
  for (const key of Object.keys(from)) {
    const before = from[key];
    if (before === undefined) continue;
    const after = ownField(to, key);
    if (after === undefined) yield { op: "remove", path: formatJsonPointer([...path, key]) };
    else yield* difference(before, after, [...path, key]);
  }
  for (const key of Object.keys(to)) {
    const value = to[key];
    if (value !== undefined && ownField(from, key) === undefined) yield { op: "add", path: formatJsonPointer([...path, key]), value };
  }
}

/** Equal items at both ends stay; between them, items change in place, and the rest is added or removed behind those. */
function* arrayDifference(from: JsonArray, to: JsonArray, path: readonly string[]): Generator<JsonPatchOperation> {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && structuralEqual(from[start], to[start])) start += 1;
  let tail = 0;
  while (tail < shorter - start && structuralEqual(from.at(-1 - tail), to.at(-1 - tail))) tail += 1;

  const removed = from.slice(start, from.length - tail);
  const added = to.slice(start, to.length - tail);
  for (const [offset, value] of added.entries()) {
    const item = removed[offset];
    const itemPath = [...path, String(start + offset)];
    if (item === undefined) yield { op: "add", path: formatJsonPointer(itemPath), value };
    else yield* difference(item, value, itemPath);
  }
  for (const _ of removed.slice(added.length)) yield { op: "remove", path: formatJsonPointer([...path, String(start + added.length)]) };
}
