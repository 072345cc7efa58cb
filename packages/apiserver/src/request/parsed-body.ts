import type { JsonValue } from "@kaji/core";

/** What came in a request's body, before any schema has seen it. */
export interface ParsedBody {
  readonly value: JsonValue;
  /** The fields that were given more than once. */
  readonly duplicates: readonly DuplicateField[];
}

/** A field that was given more than once. */
export interface DuplicateField {
  readonly path: string;
  /** What its author should hear. */
  readonly complaint: string;
}
