import type { FieldPath } from "./field-path.ts";
import { joinMessages } from "../go/aggregate.ts";
import { formatGoFloat } from "../go/go-format.ts";
import { quote } from "../go/go-quote.ts";
import { stringifyJson } from "../json/json.ts";
import type { CauseType } from "./status.ts";

/** What is wrong with one field. Lists of them become a 422 through `invalid`. */
export interface FieldError {
  readonly type: CauseType;
  readonly field: string;
  /** The sentence without the field: `Invalid value: -1: must be at least 0`. */
  readonly body: string;
}

/** The value breaks a rule. */
export function invalidValue(path: FieldPath, value: unknown, rule: string): FieldError {
  const detail = rule === "" ? "" : `: ${rule}`;
  return fieldError("FieldValueInvalid", path, `Invalid value: ${formatValue(value)}${detail}`);
}

/** The value is of the wrong type. */
export function typeInvalid(path: FieldPath, value: unknown, rule: string): FieldError {
  return fieldError("FieldValueTypeInvalid", path, `Invalid value: ${formatValue(value)}: ${rule}`);
}

/** The field must be there. */
export function required(path: FieldPath, rule = ""): FieldError {
  return fieldError("FieldValueRequired", path, rule === "" ? "Required value" : `Required value: ${rule}`);
}

/** The value is none of the allowed ones. */
export function notSupported(path: FieldPath, value: unknown, supported: readonly string[]): FieldError {
  return unsupported(path, formatValue(value), supported);
}

/** As `notSupported`, of a text whose type in Go is an enumeration and no plain string: Go shows such a text as JSON. */
export function notEnumerated(path: FieldPath, value: unknown, supported: readonly string[]): FieldError {
  return unsupported(path, formatJson(value), supported);
}

function unsupported(path: FieldPath, shown: string, supported: readonly string[]): FieldError {
  const allowed = supported.map(quote).join(", ");
  const detail = supported.length === 0 ? "" : `: supported values: ${allowed}`;
  return fieldError("FieldValueNotSupported", path, `Unsupported value: ${shown}${detail}`);
}

/** The value is there already, where each may be once. */
export function duplicate(path: FieldPath, value: unknown): FieldError {
  return fieldError("FieldValueDuplicate", path, `Duplicate value: ${formatValue(value)}`);
}

/** What the value refers to does not exist. */
export function notFoundValue(path: FieldPath, value: unknown): FieldError {
  return fieldError("FieldValueNotFound", path, `Not found: ${formatValue(value)}`);
}

/** The field may not be set, or not be changed, in this place. */
export function forbiddenField(path: FieldPath, why: string): FieldError {
  return fieldError("FieldValueForbidden", path, `Forbidden: ${why}`);
}

/** The value has more bytes than it may have. */
export function tooLong(path: FieldPath, maxBytes: number): FieldError {
  const why = maxBytes < 0 ? "value is too long" : `may not be more than ${maxBytes} ${maxBytes === 1 ? "byte" : "bytes"}`;
  return fieldError("FieldValueTooLong", path, `Too long: ${why}`);
}

/** The list has more items than it may have. */
export function tooMany(path: FieldPath, count: number, max: number): FieldError {
  const why = max < 0 ? "has too many items" : `must have at most ${max} ${max === 1 ? "item" : "items"}`;
  return fieldError("FieldValueTooMany", path, `Too many: ${count}: ${why}`);
}

/** Several errors as one sentence: alone as it is, more of them in brackets, each once. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  return joinMessages(errors.map(({ field, body }) => `${field}: ${body}`));
}

function fieldError(type: CauseType, path: FieldPath, body: string): FieldError {
  return { type, field: path.toString(), body };
}

/** As Go prints it: strings quoted, anything else as JSON. */
function formatValue(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" && !Number.isSafeInteger(value)) return formatGoFloat(value);
  return formatJson(value);
}

/** As Go writes it: null for what is absent, and safe inside HTML. */
function formatJson(value: unknown): string {
  return stringifyJson(value ?? null).replaceAll(/[<>&\u2028\u2029]/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
