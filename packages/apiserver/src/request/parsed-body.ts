import type { JsonValue } from "@kaji/core";
import type { NumberTooLarge } from "./number-too-large.ts";

/** What came in a request's body, before any schema has seen it. */
export interface ParsedBody {
  readonly value: JsonValue;
  /** The fields that were given more than once. */
  readonly duplicates: readonly DuplicateField[];
  /** What is wrong with a number in it, which matters where that is kept. */
  readonly tooLarge?: NumberTooLarge;
}

/** A field that was given more than once. */
export interface DuplicateField {
  readonly path: string;
  /** What its author should hear. */
  readonly complaint: string;
}

/** Nobody hears of more fields than these, as on the real server: their paths may take far more memory than the body. */
export const mostComplaints = 100;
