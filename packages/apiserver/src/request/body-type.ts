import { badRequest, formatApiVersion, isJsonObject } from "@kaji/core";
import type { GroupVersionKind, JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { DecodeError } from "../object-schema.ts";
import type { ObjectSchema } from "../object-schema.ts";

/** What is expected in a body: a kind, with the schema that reads it. */
export interface ExpectedType extends GroupVersionKind {
  readonly schema: ObjectSchema;
  /** Versions of old that a body may be of, too, whose objects are the same. Default none. */
  readonly olderVersions?: readonly string[];
}

/** The type of an object: what it says, or, as it may leave that out, what is expected. */
export interface GivenType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The type of what came in a body; undefined when an object does not say what it is, though it must. */
export function givenType(value: JsonValue, expected: ExpectedType): GivenType | undefined {
  const { apiVersion, kind } = isJsonObject(value) ? value : {};
  if (expected.schema.namesType === true) {
    const isNamed = typeof kind === "string" && kind !== "";
    return isNamed ? { kind, apiVersion: typeof apiVersion === "string" ? apiVersion : "" } : undefined;
  }
  return {
    kind: typeof kind === "string" && kind !== "" ? kind : expected.kind,
    apiVersion: typeof apiVersion === "string" && apiVersion !== "" ? apiVersion : formatApiVersion(expected),
  };
}

/** What is wrong with what should be an object that may name its type, in Go's words; undefined when nothing is. */
export function typeProblem(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  const failure = `couldn't get version/kind; json parse error: json: cannot unmarshal`;
  if (!isJsonObject(value)) return `${failure} ${jsonTypeOf(value)} into Go value of type ${typeMeta}`;
  for (const field of Object.keys(value)) {
    const given = value[field] ?? null;
    if ((field !== "kind" && field !== "apiVersion") || given === null || typeof given === "string") continue;
    return `${failure} ${jsonTypeOf(given)} into Go struct field .${field} of type string`;
  }
  const { apiVersion } = value;
  const isVersion = typeof apiVersion !== "string" || apiVersion.split("/").length <= 2;
  return isVersion ? undefined : `unexpected GroupVersion string: ${apiVersion}`;
}

/** How Go prints the struct into which it reads a type. */
const typeMeta = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** What Go calls the type of a JSON value. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}

/** Throws a `DecodeError` unless an object is of the expected type. */
export function refuseOtherType(type: GivenType, expected: ExpectedType, knows: (type: GivenType) => boolean): void {
  const { kind, apiVersion } = type;
  if (kind === expected.kind && (apiVersion === formatApiVersion(expected) || isOlder(type, expected))) return;
  if (!knows(type)) {
    const detail = `no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`;
    throw new DecodeError(`${detail} in scheme "pkg/runtime/scheme.go:111"`);
  }
  if (kind === expected.kind && groupOf(apiVersion) === expected.group) refuseOtherVersion(type, expected);
  throw new DecodeError(
    `converting (${versionOf(apiVersion)}.${kind}) to (${internalPackage(expected)}.${expected.kind}): unknown conversion`,
  );
}

/** Whether an object is of a version of old. */
export function isOlder({ apiVersion }: GivenType, { group, olderVersions = [] }: ExpectedType): boolean {
  return olderVersions.some((version) => apiVersion === formatApiVersion({ group, version }));
}

/** Throws a `DecodeError` for a version that is null, which is not the same as none where objects are read as they are. */
export function refuseNullVersion(value: JsonValue): void {
  if (!isJsonObject(value) || value["apiVersion"] !== null) return;
  throw new DecodeError(".apiVersion accessor error: <nil> is of the type <nil>, expected string");
}

/** 400 unless an object is of the version in the path. */
export function refuseOtherVersion({ apiVersion }: GivenType, expected: ExpectedType): void {
  const version = formatApiVersion(expected);
  if (apiVersion === version) return;
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${version})`);
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

/** `v1` of `apps/v1`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/** The name of the Go package that holds a kind's internal form upstream, which its messages mention. */
export function internalPackage({ group }: { readonly group: string }): string {
  return group === "" ? "core" : (group.split(".")[0] ?? "");
}
