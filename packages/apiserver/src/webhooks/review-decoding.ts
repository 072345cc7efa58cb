import { formatApiVersion, isJsonArray, isJsonObject, objectAt, parseApiVersion, parseJson, textAt } from "@kaji/core";
import type { GroupVersion, GroupVersionKind, JsonObject, JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { jsonTypeOf, typeProblem } from "../request/body-type.ts";
import { goSyntaxError } from "../request/go-syntax-error.ts";
import { parseStrictYaml } from "../request/strict-yaml.ts";

/** Of which Go type the fields of a review's response are. */
export interface ReviewShape {
  /** Where in the review the response is. */
  readonly field: string;
  readonly struct: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A review, and what it says it is. */
export interface DecodedReview {
  readonly value: JsonObject;
  readonly type: GroupVersionKind;
}

/** Reads a review that a webhook sent; what cannot be read is thrown in the words of the real server. */
export function decodeReview(body: Uint8Array, expected: GroupVersionKind, shape: ReviewShape): DecodedReview {
  const value = parsed(body);
  const problem = typeProblem(value);
  if (problem !== undefined) throw new SyntaxError(problem);
  const review = objectAt(value);
  const given = { kind: textAt(review, "kind"), apiVersion: textAt(review, "apiVersion") };
  const actual = {
    kind: given.kind === "" ? expected.kind : given.kind,
    apiVersion: given.apiVersion === "" ? formatApiVersion(expected) : given.apiVersion,
  };
  refuseUnknown(actual, expected);
  refuseMistyped(review, shape);
  return { value: review, type: { ...groupVersionOf(given.apiVersion), kind: given.kind } };
}

/** A review that does not say its version has none. */
function groupVersionOf(apiVersion: string): GroupVersion {
  return apiVersion === "" ? { group: "", version: "" } : parseApiVersion(apiVersion);
}

/** What is not JSON may be YAML. */
function parsed(body: Uint8Array): JsonValue {
  const text = Buffer.from(body).toString("utf8");
  const problem = goSyntaxError(body);
  if (problem === undefined) return parseJson(text);
  try {
    return parseStrictYaml(text).value;
  } catch (error) {
    throw new SyntaxError(`couldn't get version/kind; json parse error: ${problem}`, { cause: error });
  }
}

/** A review in another version of the same group is known, but is not what was asked for. */
function refuseUnknown({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }, expected: GroupVersionKind): void {
  if (kind === expected.kind && apiVersion === formatApiVersion(expected)) return;
  const { group, version } = parseApiVersion(apiVersion);
  if (kind === expected.kind && group === expected.group && (version === "v1" || version === "v1beta1")) {
    throw new SyntaxError(`converting (${version}.${kind}) to (${expected.version}.${expected.kind}): unknown conversion`);
  }
  throw new SyntaxError(`no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
}

function refuseMistyped(review: JsonObject, { field, struct, fields }: ReviewShape): void {
  const response = review[field];
  if (response === undefined || response === null) return;
  const mistyped = (given: JsonValue, path: string, type: string): SyntaxError =>
    new SyntaxError(`json: cannot unmarshal ${jsonTypeOf(given)} into Go struct field ${path} of type ${type}`);
  if (!isJsonObject(response)) throw mistyped(response, `${textAt(review, "kind")}.${field}`, `v1.${struct}`);
  for (const [name, type] of Object.entries(fields)) {
    const given = response[name] ?? null;
    if (given !== null && !isOfType(given, type)) throw mistyped(given, `${struct}.${field}.${name}`, type);
  }
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "string":
    case "[]uint8":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "[]string":
      return isJsonArray(value) && value.every((item) => item === null || typeof item === "string");
    case "map[string]string":
      return isJsonObject(value) && Object.values(value).every((item) => item === null || typeof item === "string");
    case "[]runtime.RawExtension":
      return isJsonArray(value);
    default:
      return isJsonObject(value);
  }
}
