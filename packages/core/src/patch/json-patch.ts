import { ContainerDrafts } from "../json/container-drafts.ts";
import { ownField } from "../json/copy-on-write.ts";
import { locate } from "../json/json-location.ts";
import type { JsonLocation } from "../json/json-location.ts";
import { isJsonArray, isJsonObject, stringifyJson } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { PatchError } from "./patch-error.ts";
import { structuralEqual } from "../json/structural-equal.ts";

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "copy" | "move"; readonly path: string; readonly from: string };

/** What all copies in one patch may add together, as in the kube-apiserver: copies of copies grow exponentially. */
const maxCopiedBytes = 3 * 1024 * 1024;

/**
 * Applies a JSON patch (RFC 6902) and returns the new document, which shares with the old one what did not change.
 * Where the RFC and the library of the kube-apiserver (evanphx/json-patch v4) differ, it does as the library: a missing value is null,
 * negative indices count from the end, `replace` and `copy` accept a field that is absent.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  const progress = { drafts: new ContainerDrafts(), copiedBytes: 0 };
  let result = document;
  for (const operation of decodePatch(patch)) result = applyOperation(result, operation, progress);
  return result;
}

/** What the operations of one patch have in common. */
interface Progress {
  readonly drafts: ContainerDrafts;
  /** What copies have added so far. */
  copiedBytes: number;
}

function applyOperation(document: JsonValue, operation: JsonObject, progress: Progress): JsonValue {
  const { drafts } = progress;
  const op = textOf(operation, "op") ?? "unknown";
  switch (op) {
    case "add":
      return add(document, operation, drafts);
    case "remove":
      return remove(document, operation, drafts);
    case "replace":
      return replace(document, operation, drafts);
    case "move":
      return move(document, operation, drafts);
    case "copy":
      return copy(document, operation, progress);
    case "test":
      return test(document, operation, drafts);
    default:
      throw inapplicable(`Unexpected kind: ${op}`);
  }
}

function add(document: JsonValue, operation: JsonObject, drafts: ContainerDrafts): JsonValue {
  const path = textOf(operation, "path") ?? missing("add operation failed to decode path");
  const place = locate(document, path, drafts) ?? missing(`add operation does not apply: doc is missing path: "${path}"`);
  return place.insert(valueOf(operation), `error in add for path: '${path}'`);
}

function remove(document: JsonValue, operation: JsonObject, drafts: ContainerDrafts): JsonValue {
  const path = textOf(operation, "path") ?? missing("remove operation failed to decode path");
  const place = locate(document, path, drafts) ?? missing(`remove operation does not apply: doc is missing path: "${path}"`);
  return place.remove(`error in remove for path: '${path}'`);
}

function replace(document: JsonValue, operation: JsonObject, drafts: ContainerDrafts): JsonValue {
  const path = textOf(operation, "path") ?? undecodable(operation, "replace", "path");
  const value = valueOf(operation);
  if (path === "") {
    if (isJsonObject(value) || isJsonArray(value)) return value;
    throw inapplicable("replace operation value must be object or array: %!w(<nil>)");
  }
  const place = locate(document, path, drafts) ?? missing(`replace operation does not apply: doc is missing path: ${path}`);
  return place.settable ? place.set(value) : missing(`replace operation does not apply: doc is missing key: ${path}`);
}

function move(document: JsonValue, operation: JsonObject, drafts: ContainerDrafts): JsonValue {
  const from = textOf(operation, "from") ?? undecodable(operation, "move", "from");
  const source = locate(document, from, drafts) ?? missing(`move operation does not apply: doc is missing from path: ${from}`);
  const value = source.get(`error in move for path: '${source.key}'`) ?? null;
  const rest = source.remove(`error in move for path: '${source.key}'`);
  const path = textOf(operation, "path") ?? undecodable(operation, "move", "path");
  const place = locate(rest, path, drafts) ?? missing(`move operation does not apply: doc is missing destination path: ${path}`);
  return place.insert(value, `error in move for path: '${path}'`);
}

function copy(document: JsonValue, operation: JsonObject, progress: Progress): JsonValue {
  const { drafts } = progress;
  const from = textOf(operation, "from") ?? undecodable(operation, "copy", "from");
  const source = locate(document, from, drafts) ?? missing(`copy operation does not apply: doc is missing from path: ${from}`);
  const value = source.get(`error in copy for from: '${from}'`) ?? null;
  const path = textOf(operation, "path") ?? missing("copy operation failed to decode path");
  const place = locate(document, path, drafts) ?? missing(`copy operation does not apply: doc is missing destination path: ${path}`);
  progress.copiedBytes += value === null ? 0 : new TextEncoder().encode(stringifyJson(value)).length;
  if (progress.copiedBytes > maxCopiedBytes) {
    const excess = `the accumulated size increase of copy is ${progress.copiedBytes}, exceeding the limit ${maxCopiedBytes}`;
    throw inapplicable(`Unable to complete the copy, ${excess}`);
  }
  return place.insert(drafts.snapshot(value), "error while adding value during copy");
}

function test(document: JsonValue, operation: JsonObject, drafts: ContainerDrafts): JsonValue {
  const path = textOf(operation, "path") ?? undecodable(operation, "test", "path");
  const actual = path === "" ? document : placeToTest(document, path, drafts).get(`error in test for path: '${path}'`);
  // An absent field passes as null, and so does an absent expectation.
  if (structuralEqual(actual ?? null, valueOf(operation))) return document;
  throw inapplicable(`testing value ${path} failed: test failed`);
}

function placeToTest(document: JsonValue, path: string, drafts: ContainerDrafts): JsonLocation {
  return locate(document, path, drafts) ?? missing(`test operation does not apply: is missing path: ${path}`);
}

/** Null stands for no operations, and for an operation of no kind. */
function decodePatch(patch: JsonValue): readonly JsonObject[] {
  if (patch === null) return [];
  if (!isJsonArray(patch))
    throw new PatchError("BadRequest", `json: cannot unmarshal ${kindOf(patch)} into Go value of type jsonpatch.Patch`);
  return patch.map((operation) => {
    if (operation === null) return {};
    if (isJsonObject(operation)) return operation;
    throw new PatchError("BadRequest", `json: cannot unmarshal ${kindOf(operation)} into Go value of type jsonpatch.Operation`);
  });
}

function textOf(operation: JsonObject, member: "from" | "op" | "path"): string | undefined {
  const value = ownField(operation, member);
  return typeof value === "string" ? value : undefined;
}

function valueOf(operation: JsonObject): JsonValue {
  return ownField(operation, "value") ?? null;
}

function missing(message: string): never {
  throw inapplicable(`${message}: missing value`);
}

function undecodable(operation: JsonObject, op: string, member: "from" | "path"): never {
  const value = ownField(operation, member) ?? null;
  if (value === null)
    missing(`${op} operation failed to decode ${member}: operation${member === "from" ? "," : ""} missing ${member} field`);
  throw inapplicable(`${op} operation failed to decode ${member}: json: cannot unmarshal ${kindOf(value)} into Go value of type string`);
}

function inapplicable(message: string): PatchError {
  return new PatchError("Invalid", message);
}

/** What JSON calls a value, in the words of Go's decoder. */
function kindOf(value: JsonValue): string {
  if (isJsonArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}
