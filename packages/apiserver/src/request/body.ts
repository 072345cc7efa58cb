import { badRequest, formatApiVersion, isJsonObject, refusal } from "@kaji/core";
import type { DynamicObject, GroupVersionKind, JsonValue } from "@kaji/core";
import { DecodeError } from "../object-schema.ts";
import type { ObjectSchema } from "../object-schema.ts";
import { parseMediaType } from "./media-type.ts";
import { parseStrictJson } from "./strict-json.ts";
import { parseStrictYaml } from "./strict-yaml.ts";
import type { FieldValidation } from "./write-options.ts";

const protobufPrefix = Buffer.from("k8s\0");
const decoder = new TextDecoder("utf-8", { fatal: true });

/** What came in a request's body, before any schema has seen it. */
export interface ParsedBody {
  readonly value: JsonValue;
  /** Paths of the fields that were given more than once. */
  readonly duplicates: readonly string[];
}

/** How strictly a body is read, and who hears of what it got wrong. */
export interface DecodeOptions {
  readonly fieldValidation: FieldValidation;
  readonly warn: (message: string) => void;
  /** Whether the kind may be of any group and version: each has a `DeleteOptions`, all of them alike. Default false. */
  readonly anyVersion?: boolean;
}

/** What is expected in a body: a kind, with the schema that reads it. */
export interface ExpectedType extends GroupVersionKind {
  readonly schema: ObjectSchema;
}

/** Reads the object in a request's body by the schema of the kind that is expected there. */
export function decodeBody(
  body: Uint8Array | undefined,
  contentType: string | undefined,
  expected: ExpectedType,
  options: DecodeOptions,
): DynamicObject {
  const bytes = body ?? new Uint8Array();
  if (isProtobuf(contentType)) return decodeProtobufBody(bytes, expected, options);
  const parsed = parseBody(bytes, contentType, expected.kind);
  const given = givenType(parsed.value, expected);
  try {
    return understand(parsed, expected, options);
  } catch (error) {
    throw asBadRequest(error, given, expected);
  }
}

/**
 * Makes an object of JSON that stands for one of the expected kind. Throws a `DecodeError` when it is of another kind, has a value
 * of the wrong type, or, read strictly, a field that is unknown or given twice.
 */
export function understand({ value, duplicates }: ParsedBody, expected: ExpectedType, options: DecodeOptions): DynamicObject {
  const { fieldValidation, warn, anyVersion = false } = options;
  const type = givenType(value, expected);
  if (!anyVersion || type.kind !== expected.kind) refuseOtherType(type, expected);
  const { object, unknownFields } = expected.schema.decode(value);
  const complaints = [...unknownFields.map((path) => `unknown field "${path}"`), ...duplicates.map((path) => `duplicate field "${path}"`)];
  if (fieldValidation === "Warn") complaints.forEach(warn);
  if (fieldValidation === "Strict" && complaints.length > 0) throw new DecodeError(`strict decoding error: ${complaints.join(", ")}`);
  return { ...object, ...type };
}

/** JSON or YAML; anything else is refused with the types that are accepted. */
export function parseBody(bytes: Uint8Array, contentType: string | undefined, kind: string): ParsedBody {
  const { type } = parseMediaType(contentType ?? "application/json");
  const parse = type === "application/json" ? parseStrictJson : type === "application/yaml" ? parseStrictYaml : undefined;
  if (parse === undefined) throw unsupportedMediaType();
  try {
    return parse(decoder.decode(bytes));
  } catch (error) {
    const shown = bytes.length === 0 ? "<empty>" : decodeLeniently(bytes);
    const detail = error instanceof Error ? error.message : String(error);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${detail} (${shown})`,
    );
  }
}

/** 415, naming what is accepted. */
function unsupportedMediaType(): Error {
  const accepted = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  return refusal("UnsupportedMediaType", `the body of the request was in an unknown format - accepted media types include: ${accepted}`);
}

function isProtobuf(contentType: string | undefined): boolean {
  return contentType !== undefined && parseMediaType(contentType).type === "application/vnd.kubernetes.protobuf";
}

function decodeProtobufBody(bytes: Uint8Array, expected: ExpectedType, { anyVersion }: DecodeOptions): DynamicObject {
  const { decodeProtobuf } = expected.schema;
  if (decodeProtobuf === undefined) throw unsupportedMediaType();
  if (!protobufPrefix.equals(bytes.subarray(0, 4))) {
    const shown = Buffer.from(bytes.subarray(0, 1024)).toString("hex");
    const detail = `provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (${shown})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${detail}`);
  }
  try {
    const object = decodeProtobuf(bytes);
    if (anyVersion !== true) refuseOtherType(object, expected);
    return object;
  } catch (error) {
    throw asBadRequest(error, { kind: expected.kind, apiVersion: expected.version }, expected);
  }
}

/** The type of an object: what it says, or, as it may leave that out, what is expected. */
interface GivenType {
  readonly kind: string;
  readonly apiVersion: string;
}

function givenType(value: JsonValue, expected: ExpectedType): GivenType {
  const { apiVersion, kind } = isJsonObject(value) ? value : {};
  return {
    kind: typeof kind === "string" && kind !== "" ? kind : expected.kind,
    apiVersion: typeof apiVersion === "string" && apiVersion !== "" ? apiVersion : formatApiVersion(expected),
  };
}

function refuseOtherType({ kind, apiVersion }: GivenType, expected: ExpectedType): void {
  if (apiVersion !== formatApiVersion(expected)) {
    throw new DecodeError(`no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`);
  }
  if (kind !== expected.kind) {
    throw new DecodeError(
      `converting (${versionOf(apiVersion)}.${kind}) to (${internalGroup(expected)}.${expected.kind}): unknown conversion`,
    );
  }
}

/** The name of the package that holds the kind's internal form upstream, which its messages mention. */
function internalGroup({ group }: ExpectedType): string {
  return group === "" ? "core" : (group.split(".")[0] ?? "");
}

function asBadRequest(error: unknown, { kind, apiVersion }: GivenType, expected: ExpectedType): unknown {
  if (!(error instanceof DecodeError)) return error;
  return badRequest(`${kind} in version "${versionOf(apiVersion)}" cannot be handled as a ${expected.kind}: ${error.message}`);
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

function decodeLeniently(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 1024));
}
