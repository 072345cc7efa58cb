import {
  FieldPath,
  PatchError,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  badRequest,
  formatGo,
  invalid,
  invalidValue,
  isJsonArray,
  isJsonObject,
  refusal,
  stringifyJson,
} from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { DecodeError } from "../object-schema.ts";
import { understand } from "../request/body.ts";
import type { ParsedBody } from "../request/body.ts";
import { parseMediaType } from "../request/media-type.ts";
import type { RequestContext } from "../request/request-context.ts";
import { parseStrictJson } from "../request/strict-json.ts";
import { patchOptions } from "../request/write-options.ts";
import type { PatchOptions } from "../request/write-options.ts";
import { applyPatch } from "./apply-patch.ts";
import type { Outcome } from "./outcome.ts";
import { writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { refuseStale, reviseObject } from "./revise.ts";
import { expectedType, requiredName } from "./target.ts";
import type { Target } from "./target.ts";
import { refuseOtherName } from "./update.ts";

/** How a patch is written. */
export type PatchType = "json" | "merge" | "strategic" | "apply";

/** More operations than these are not even read, as on the real server. */
const mostOperations = 10_000;

const patchTypes: Readonly<Record<string, PatchType>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply",
};

/** PATCH: changes an object by what its patch says, whatever else has changed meanwhile. */
export async function patch(registry: Registry, target: Target, context: RequestContext): Promise<Outcome> {
  const type = patchTypeOf(target, context.headers["content-type"]);
  const options = patchOptions(context.query, context.headers["user-agent"], type === "apply");
  if (type === "apply") return applyPatch(registry, target, context, options);
  const parsed = parsePatch(type, context.body);
  return reviseObject(registry, target, context, {
    options,
    wanted: (live) => {
      const patched = patchedObject(type, parsed, target, live, { ...options, warn: context.warn });
      refuseOtherName(patched, requiredName(target));
      if (patched.metadata.resourceVersion !== live.metadata.resourceVersion)
        refuseStale(target, { ...patched, metadata: { ...patched.metadata, uid: "" } }, live);
      const defaulted = target.version.strategy.default?.(patched) ?? patched;
      return registry
        .fieldManager(target.kind)
        .update({ live, next: defaulted, ...writeBy(options.fieldManager, target, context.clock.now()) });
    },
  });
}

/** Which type of patch a request holds; 415 for what is none, and for strategic patches of kinds that have no strategy. */
export function patchTypeOf({ version }: Target, contentType = ""): PatchType {
  const type = patchTypes[parseMediaType(contentType).type];
  const { patchSchema } = version.schema;
  if (type !== undefined && (type !== "strategic" || patchSchema !== undefined)) return type;
  if (patchSchema !== undefined) throw refusal("UnsupportedMediaType", "415: Unsupported Media Type");
  const accepted = Object.keys(patchTypes).filter((name) => patchTypes[name] !== "strategic");
  throw refusal(
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );
}

/** Reads a JSON patch, or a patch that looks like the object. */
export function parsePatch(type: Exclude<PatchType, "apply">, body: Uint8Array | undefined): ParsedBody {
  const prefix = type === "strategic" ? "" : "error decoding patch: ";
  let parsed: ParsedBody;
  try {
    parsed = parseStrictJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw badRequest(prefix + (error instanceof Error ? error.message : String(error)));
  }
  const { value } = parsed;
  if (type === "json") {
    if (!isJsonArray(value))
      throw badRequest(`${prefix}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type []handlers.jsonPatchOp`);
    if (value.length > mostOperations) {
      const message = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${value.length}`;
      throw refusal("RequestEntityTooLarge", message);
    }
  } else if (value === null) {
    throw badRequest("Invalid JSON Patch");
  } else if (!isJsonObject(value)) {
    throw badRequest(`${prefix}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`);
  }
  return parsed;
}

/** Applies a patch to some JSON. */
export function patchJson(type: Exclude<PatchType, "apply">, patch: JsonValue, live: JsonValue, { version }: Target): JsonValue {
  try {
    if (type === "json") return applyJsonPatch(live, patch);
    const { patchSchema } = version.schema;
    const isStrategic = type === "strategic" && patchSchema !== undefined && isJsonObject(live) && isJsonObject(patch);
    return isStrategic ? applyStrategicMergePatch(live, patch, patchSchema) : applyMergePatch(live, patch);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // The real server keeps to itself why a JSON patch does not apply.
    if (type === "json") throw refusal("Invalid", "the server rejected our request due to an error in our request", {});
    throw refusal(error.reason, error.message);
  }
}

interface ReadOptions extends PatchOptions {
  readonly warn: (message: string) => void;
}

function patchedObject(
  type: Exclude<PatchType, "apply">,
  parsed: ParsedBody,
  target: Target,
  live: DynamicObject,
  options: ReadOptions,
): DynamicObject {
  const value = patchJson(type, parsed.value, asJson(live), target);
  try {
    return understand({ value, duplicates: parsed.duplicates }, expectedType(target), options);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const shown = type === "strategic" ? formatGo(parsed.value) : stringifyJson(value);
    throw invalid({ group: "", kind: "" }, "", [invalidValue(FieldPath.of("patch"), shown, error.message)]);
  }
}

/** An object is JSON: it came from a parser or a schema. */
function asJson(object: DynamicObject): JsonValue {
  return object as unknown as JsonValue;
}

function jsonTypeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}
