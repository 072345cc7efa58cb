import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";

/** Prints a value as Go's `%v` does, which is how messages of Kubernetes cite values. */
export function formatGo(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (isJsonArray(value)) return `[${value.map(formatGo).join(" ")}]`;
  if (isJsonObject(value)) return formatMap(value);
  if (typeof value === "number" && !Number.isSafeInteger(value)) return formatGoFloat(value);
  return String(value);
}

/** The Go type that holds a JSON value in memory. */
export function goType(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (isJsonArray(value)) return "[]interface {}";
  if (isJsonObject(value)) return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return typeof value === "bigint" || Number.isSafeInteger(value) ? "int64" : "float64";
}

/** Orders strings as Go does: by bytes of their UTF-8, which is by code points. */
export function compareGoStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const unit = left.charCodeAt(index);
    const other = right.charCodeAt(index);
    if (unit !== other) return aboveSurrogates(unit) - aboveSurrogates(other);
  }
  return left.length - right.length;
}

function formatMap(object: JsonObject): string {
  const fields = Object.keys(object).toSorted(compareGoStrings);
  return `map[${fields.flatMap((key) => (object[key] === undefined ? [] : [`${key}:${formatGo(object[key])}`])).join(" ")}]`;
}

/** A float64 as Go's `%v` has it: shortest digits, as in JavaScript; but with an exponent, of two digits at least, outside 1e-04 … 1e+06. */
export function formatGoFloat(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** A surrogate stands for a code point above every single unit, so it sorts behind U+FFFF. */
function aboveSurrogates(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
