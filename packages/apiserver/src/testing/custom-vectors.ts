import { readFileSync } from "node:fs";
import { isJsonArray, isJsonObject, parseJson, stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { CrdVersion } from "../custom/definition/crd.ts";
import { sortedJson } from "../custom/schema/sorted-json.ts";

/** What a real kube-apiserver answered to definitions of custom kinds and to objects of such kinds. */
export interface CustomVectors {
  readonly definitions: readonly DefinitionVector[];
  readonly kinds: readonly KindVector[];
}

/** A definition that is created or, if `before` is given, replaces that one. */
export interface DefinitionVector {
  readonly name: string;
  readonly sent: JsonObject;
  readonly before?: JsonObject;
  readonly answer: VectorAnswer;
}

/** A custom kind, and what is done with its objects. */
export interface KindVector {
  readonly name: string;
  readonly versions: readonly CrdVersion[];
  /** The versions as they were when the objects in `before` were created. */
  readonly earlier?: readonly CrdVersion[];
  readonly objects: readonly ObjectVector[];
}

/** An object that is created or, if `before` is given, replaces that one. */
export interface ObjectVector {
  readonly name: string;
  readonly sent: JsonObject;
  readonly before?: JsonObject;
  readonly fieldValidation?: "Ignore" | "Strict" | "Warn";
  readonly subresource?: "status";
  /** The version it is sent to. Default the first. */
  readonly version?: string;
  readonly answer: VectorAnswer;
}

/** An answer, without what differs from one time to the next. */
export interface VectorAnswer {
  readonly code: number;
  readonly warnings?: readonly string[];
  /** What was accepted. */
  readonly object?: JsonValue;
  /** Why it was refused. Several errors come in no particular order, so they are sorted. */
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly JsonValue[];
}

/** Where the vectors are. */
export const customVectorsFile: URL = new URL("../../testdata/custom.json", import.meta.url);

/** Reads the vectors. */
export function readCustomVectors(): CustomVectors {
  return JSON.parse(readFileSync(customVectorsFile, "utf8"));
}

/** Writes the vectors, each on a line of its own. */
export function formatCustomVectors({ definitions, kinds }: CustomVectors): string {
  const lines = (vectors: readonly unknown[]): string => vectors.map((vector) => `  ${stringifyJson(vector)}`).join(",\n");
  return `{\n "definitions": [\n${lines(definitions)}\n ],\n "kinds": [\n${kinds.map(formatKind).join(",\n")}\n ]\n}\n`;
}

function formatKind({ objects, ...kind }: KindVector): string {
  const head = stringifyJson(kind).slice(0, -1);
  return `  ${head},"objects":[\n${objects.map((object) => `   ${stringifyJson(object)}`).join(",\n")}\n  ]}`;
}

/** The names of the custom kind that a vector is about. */
export function vectorNames(vector: KindVector, vectors: CustomVectors): { readonly plural: string; readonly kind: string } {
  const number = vectors.kinds.indexOf(vector);
  return { plural: `thing${letters(number)}s`, kind: `Thing${letters(number)}` };
}

/** The group of all custom kinds in vectors. */
export const vectorGroup = "vectors.kaji.dev";

/** Brings an answer into the form in which vectors keep it. */
export function vectorAnswer(code: number, body: JsonValue, warnings: readonly string[]): VectorAnswer {
  const shown = warnings.length === 0 ? {} : { warnings: warnings.toSorted() };
  if (!isJsonObject(body) || body["kind"] !== "Status") return { code, ...shown, object: withoutIdentity(body) };
  const { reason, message, details } = body;
  const causes =
    isJsonObject(details) && isJsonArray(details["causes"])
      ? details["causes"].map((cause) => JSON.stringify(sortedJson(cause))).toSorted()
      : [];
  return {
    code,
    ...shown,
    ...(typeof reason === "string" ? { reason } : {}),
    // The causes of an invalid object are its message once more.
    ...(causes.length > 0 ? { causes: causes.map((cause) => parseJson(cause)) } : { message: typeof message === "string" ? message : "" }),
  };
}

function withoutIdentity(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body;
  const { metadata, ...rest } = body;
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    generation: _generation,
    managedFields: _fields,
    ...kept
  } = isJsonObject(metadata) ? metadata : {};
  return sortedJson(withoutTimes({ ...rest, metadata: kept }));
}

function withoutTimes(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutTimes);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => name !== "lastTransitionTime");
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutTimes(field ?? null)]));
}

/** 0 → `a`, 26 → `ba`: names may not have digits everywhere. */
function letters(number: number): string {
  const last = String.fromCharCode(97 + (number % 26));
  return number < 26 ? last : letters(Math.floor(number / 26)) + last;
}
