import { badRequest, errorMessage, formatApiVersion, refusal, stringifyJson } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { ProtobufError, parseEnvelope } from "@kaji/core/protobuf";
import type { ProtobufEnvelope } from "@kaji/core/protobuf";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { parseMediaType } from "@kaji/core/serving";
import { DecodeError } from "../object-schema.ts";
import type { Decoded } from "../object-schema.ts";
import { givenType, isOlder, refuseNullVersion, refuseOtherType, refuseOtherVersion, typeProblem, versionOf } from "./body-type.ts";
import type { ExpectedType, GivenType } from "./body-type.ts";
import { complaintsOf } from "./field-complaints.ts";
import type { ParsedBody } from "./parsed-body.ts";
import { readStrictJson } from "./strict-json.ts";
import { parseStrictYaml } from "./strict-yaml.ts";
import type { FieldValidation } from "./write-options.ts";

/** Like Go, it reads bytes that are no text as such. A byte order mark is not skipped. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How strictly a body is read, and who hears of what it got wrong. */
export interface DecodeOptions {
  readonly fieldValidation: FieldValidation;
  readonly warn: (message: string) => void;
  /** Whether there is such a kind at all, though it may not be the one that is expected. */
  readonly knows: (type: GivenType) => boolean;
  /** Whether the kind may be of any group and version: each has a `DeleteOptions`, all of them alike. Default false. */
  readonly anyVersion?: boolean;
  /** The object from storage that a patch was applied to, which shares with the result what did not change. */
  readonly live?: DynamicObject;
}

/** Reads the object in a request's body by the schema of the kind that is expected there. Refuses what is no such object. */
export function decodeBody(
  body: Uint8Array | undefined,
  contentType: string | undefined,
  expected: ExpectedType,
  options: DecodeOptions,
): DynamicObject {
  const bytes = body ?? new Uint8Array();
  try {
    return readObject(bytes, contentType, expected, options);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (error instanceof Unrecognized) {
      throw badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${error.message} (${summary(bytes)})`);
    }
    const { kind, apiVersion } = error instanceof Unfitting ? error.type : { kind: expected.kind, apiVersion: formatApiVersion(expected) };
    throw badRequest(`${kind} in version ${quote(versionOf(apiVersion))} cannot be handled as a ${expected.kind}: ${error.message}`);
  }
}

/** Reads an object in any of the three encodings; throws a `DecodeError` that says in the real server's words what is wrong with it. */
export function readObject(
  bytes: Uint8Array,
  contentType: string | undefined,
  expected: ExpectedType,
  options: DecodeOptions,
): DynamicObject {
  const { type: mediaType } = parseMediaType(contentType ?? "application/json");
  if (mediaType === "application/vnd.kubernetes.protobuf") return readProtobuf(bytes, expected, options);
  const parsed = parseText(bytes, mediaType);
  refuseWithoutType(parsed.value);
  if (parsed.tooLarge !== undefined && expected.schema.namesType === true) throw parsed.tooLarge;
  const type = givenType(parsed.value, expected);
  // Only those who look for unknown fields find that the kind is unknown, too.
  if (type === undefined && options.fieldValidation !== "Ignore") throw new Unrecognized(missingKind(parsed.value));
  const object = asUnfitting(type, () => {
    if (expected.schema.namesType === true) refuseNullVersion(parsed.value);
    return understand(parsed, expected, options);
  });
  if (expected.schema.namesType === true) refuseOtherVersion(object, expected);
  return object;
}

/**
 * Makes an object of JSON that stands for one of the expected kind. Throws a `DecodeError` when it is of another kind, has a value
 * of the wrong type, or, read strictly, a field that is unknown or given twice.
 */
export function understand({ value, duplicates, tooLarge }: ParsedBody, expected: ExpectedType, options: DecodeOptions): DynamicObject {
  const { fieldValidation, warn, knows, live, anyVersion = false } = options;
  const { schema } = expected;
  const type = givenType(value, expected);
  if (type === undefined) throw new DecodeError(missingKind(value));
  if (schema.namesType !== true && (!anyVersion || type.kind !== expected.kind)) refuseOtherType(type, expected, knows);
  const given = value ?? {};
  const decode = (): Decoded => schema.decode(given, live);
  const { object, unknownFields } = tooLarge === undefined ? decode() : tooLarge.refuseIn(decode);
  if (fieldValidation !== "Ignore" && unknownFields.length + duplicates.length > 0) {
    const complaints = complaintsOf(given, unknownFields, duplicates, {
      isStruct: schema.namesType !== true,
      isPatch: live !== undefined,
    });
    if (fieldValidation === "Warn") complaints.forEach(warn);
    else throw new DecodeError(`strict decoding error: ${complaints.join(", ")}`);
  }
  return { ...object, ...type, ...(isOlder(type, expected) ? { apiVersion: formatApiVersion(expected) } : {}) };
}

/** JSON or YAML; anything else is refused with the types that are accepted. */
function parseText(bytes: Uint8Array, mediaType: string): ParsedBody {
  const parse = mediaType === "application/json" ? readStrictJson : mediaType === "application/yaml" ? parseStrictYaml : undefined;
  if (parse === undefined) throw unsupportedMediaType();
  try {
    return parse(decoder.decode(bytes));
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    const where = parse === readStrictJson ? "couldn't get version/kind; json parse error: " : "";
    throw new Unrecognized(where + errorMessage(error));
  }
}

/** Looks at nothing but whether it is an object that may name its type. */
function refuseWithoutType(value: JsonValue): void {
  const problem = typeProblem(value);
  if (problem !== undefined) throw new Unrecognized(problem);
}

function readProtobuf(bytes: Uint8Array, expected: ExpectedType, { anyVersion, knows }: DecodeOptions): DynamicObject {
  const { decodeProtobuf } = expected.schema;
  if (decodeProtobuf === undefined) throw unsupportedMediaType();
  const { kind, apiVersion } = envelopeOf(bytes);
  const type = {
    kind: kind === "" ? expected.kind : kind,
    apiVersion: apiVersion === "" ? formatApiVersion(expected) : apiVersion,
  };
  return asUnfitting(type, () => {
    if (anyVersion !== true) refuseOtherType(type, expected, knows);
    return decodeProtobuf(bytes);
  });
}

function envelopeOf(bytes: Uint8Array): ProtobufEnvelope {
  try {
    return parseEnvelope(bytes);
  } catch (error) {
    if (error instanceof ProtobufError) throw new Unrecognized(error.message, { cause: error });
    throw error;
  }
}

/** The encoding of the body is not recognized. */
class Unrecognized extends DecodeError {}

/** The body is of a known type, and does not fit the one that is expected. */
class Unfitting extends DecodeError {
  readonly type: GivenType;

  constructor(type: GivenType, cause: DecodeError) {
    super(cause.message, { cause });
    this.type = type;
  }
}

function asUnfitting<T>(type: GivenType | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof DecodeError && type !== undefined ? new Unfitting(type, error) : error;
  }
}

function missingKind(value: JsonValue): string {
  return `Object 'Kind' is missing in '${stringifyJson(value)}'`;
}

/** 415, naming what is accepted. */
function unsupportedMediaType(): Error {
  const accepted = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  return refusal("UnsupportedMediaType", `the body of the request was in an unknown format - accepted media types include: ${accepted}`);
}

/** The beginning of a body, as text if it looks like JSON. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const isJson = bytes[0] === 0x7b;
  const shown = Buffer.from(bytes.subarray(0, shownBytes)).toString(isJson ? "utf8" : "hex");
  return bytes.length > shownBytes ? `${shown} ...` : shown;
}

/** How much of a body that cannot be read is shown. */
const shownBytes = 30;
