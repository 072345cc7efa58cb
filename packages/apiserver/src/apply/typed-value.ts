import type { JsonValue } from "@kaji/core";
import type { FieldSet } from "./field-set.ts";
import type { MergeSchema } from "./merge-schema.ts";

/** A value and its type, at one version. */
export interface TypedValue {
  readonly value: JsonValue;
  readonly schema: MergeSchema;
}

/** What merging needs to know of the versions of a kind. */
export interface Versions {
  /** The value at another version; undefined when there is no such version. */
  at(typed: TypedValue, apiVersion: string): TypedValue | undefined;
  /** The fields that a write never takes from a client at this version, with all below them. */
  ignoredAt(apiVersion: string): FieldSet | undefined;
}
