import { formatGo, goType } from "../../go/go-format.ts";
import type { JsonObject, JsonValue } from "../../json/json.ts";
import { PatchError } from "../patch-error.ts";

/** What Kubernetes does not classify, and answers with code 500. */
export function unclassified(message: string): PatchError {
  return new PatchError("", message);
}

/** A directive whose value has the wrong shape. */
export function malformed(directive: "primitive list" | "retainKeys" | "setElementOrder list"): PatchError {
  return new PatchError("BadRequest", `invalid patch format of ${directive}`);
}

/** A value of another type than the schema or the directive asks for. */
export function wrongType(expected: "[]interface {}" | "map[string]interface {}", actual: JsonValue): PatchError {
  return unclassified(`expected a ${expected}, but received a ${actual === null ? "%!s(<nil>)" : goType(actual)}`);
}

/** An element of a merged list that nothing tells from the others. */
export function noMergeKey(element: JsonObject, mergeKey: string): PatchError {
  return unclassified(`map: ${formatGo(element)} does not contain declared merge key: ${mergeKey}`);
}

/** A `$patch` that says none of what it may say in that place. */
export function unknownDirective(directive: JsonValue, patch: JsonObject): PatchError {
  return unclassified(`unknown patch type: ${formatAsText(directive)} in map: ${formatGo(patch)}`);
}

/** As Go's `%s` prints what is not a string. */
function formatAsText(value: JsonValue): string {
  if (value === null) return "%!s(<nil>)";
  return typeof value === "string" || typeof value === "object" ? formatGo(value) : `%!s(${goType(value)}=${formatGo(value)})`;
}
