import { badRequest, errorMessage, isJsonArray, isJsonObject, refusal } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { parseMediaType } from "@kaji/core/serving";
import type { ObjectSchema } from "../object-schema.ts";
import { jsonTypeOf } from "./body-type.ts";
import { complaintsOf } from "./field-complaints.ts";
import { hasInfinity } from "./number-too-large.ts";
import type { NumberTooLarge } from "./number-too-large.ts";
import type { ParsedBody } from "./parsed-body.ts";
import { readStrictJson } from "./strict-json.ts";

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

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Which type of patch a request holds; 415 for what is none, and for strategic patches of kinds that have no strategy. */
export function patchTypeOf({ patchSchema }: Pick<ObjectSchema, "patchSchema">, contentType = ""): PatchType {
  const { type: mediaType } = parseMediaType(contentType);
  const type = Object.hasOwn(patchTypes, mediaType) ? patchTypes[mediaType] : undefined;
  if (type !== undefined && (type !== "strategic" || patchSchema !== undefined)) return type;
  if (patchSchema !== undefined) throw refusal("UnsupportedMediaType", "415: Unsupported Media Type", {});
  const accepted = Object.keys(patchTypes).filter((name) => patchTypes[name] !== "strategic");
  throw refusal(
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );
}

/** Reads a JSON patch, or a patch that looks like the object. */
export function parsePatch(type: Exclude<PatchType, "apply">, body: Uint8Array | undefined): ParsedBody {
  const prefix = type === "strategic" ? "" : "error decoding patch: ";
  const { value, duplicates, tooLarge } = parse(body, prefix);
  if (type === "json") {
    const operations = operationsOf(value, tooLarge);
    const found = complaintsOf(operations, unknownFieldsOf(operations), duplicates, { isStruct: true, isPatch: false });
    return { value: operations, duplicates: found.map((complaint) => ({ path: "", complaint: `json patch ${complaint}` })) };
  }
  if (value === null && type === "strategic") return { value: {}, duplicates };
  if (value === null) throw badRequest("Invalid JSON Patch");
  if (isJsonObject(value) && tooLarge !== undefined) throw badRequest(prefix + tooLarge.message);
  if (isJsonObject(value)) return { value, duplicates };
  throw badRequest(`${prefix}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`);
}

function parse(body: Uint8Array | undefined, prefix: string): ParsedBody {
  try {
    return readStrictJson(decoder.decode(body));
  } catch (error) {
    throw badRequest(prefix + errorMessage(error));
  }
}

/** The operations of a JSON patch, none where it is null. */
function operationsOf(value: JsonValue, tooLarge: NumberTooLarge | undefined): JsonValue {
  if (value === null) return [];
  const failure = "error decoding patch: json: cannot unmarshal";
  if (!isJsonArray(value)) throw badRequest(`${failure} ${jsonTypeOf(value)} into Go value of type []handlers.jsonPatchOp`);
  for (const operation of value) {
    if (operation === null) continue;
    if (!isJsonObject(operation)) throw badRequest(`${failure} ${jsonTypeOf(operation)} into Go value of type handlers.jsonPatchOp`);
    for (const field of ["op", "path", "from"]) {
      const given = Object.hasOwn(operation, field) ? (operation[field] ?? null) : null;
      if (given === null || typeof given === "string") continue;
      throw badRequest(`${failure} ${jsonTypeOf(given)} into Go struct field jsonPatchOp.${field} of type string`);
    }
    if (tooLarge === undefined || !hasInfinity(operation["value"] ?? null)) continue;
    throw badRequest(`error decoding patch: ${tooLarge.message.replace("Go value", "Go struct field jsonPatchOp.value")}`);
  }
  if (value.length > mostOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${value.length}`;
    throw refusal("RequestEntityTooLarge", `Request entity too large: ${message}`);
  }
  return value;
}

/** The paths of what a JSON patch says that is no part of its operations. */
function unknownFieldsOf(operations: JsonValue): readonly string[] {
  if (!isJsonArray(operations)) return [];
  return operations.flatMap((operation, index) => {
    const names = isJsonObject(operation) ? Object.keys(operation) : [];
    return names.filter((name) => !operationFields.has(name)).map((name) => `[${index}].${name}`);
  });
}

const operationFields: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);
