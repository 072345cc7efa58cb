import { formatGoFloat } from "@kaji/core/go";
import { formatTimestamp } from "./timestamp.ts";
import type { Value } from "./value.ts";

/** A double as Go's `%g` writes it. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  return formatGoFloat(value);
}

/** A duration in seconds, as CEL writes it. */
export function durationText(nanos: bigint): string {
  const sign = nanos < 0n ? "-" : "";
  const absolute = nanos < 0n ? -nanos : nanos;
  // Go goes through a float64 of seconds, which is not exact for very long spans.
  const seconds = Number(absolute / 1_000_000_000n) + Number(absolute % 1_000_000_000n) / 1e9;
  return `${seconds === 0 ? "" : sign}${plain(seconds)}s`;
}

/** A value in an error message, as Go's `%v` writes it. */
export function goText(value: Value): string {
  if (value === null) return "null";
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return `[${[...value].join(" ")}]`;
  switch (value.kind) {
    case "double":
      return doubleText(value.value);
    case "uint":
      return String(value.value);
    case "timestamp":
      return formatTimestamp(value).replace("T", " ").replace(/Z$/, " +0000 UTC");
    case "duration":
      return durationText(value.nanos);
    case "type":
      return value.name;
    case "error":
      return value.message;
    case "opaque":
      return value.toString();
    case "list":
      return `[${Array.from({ length: value.size }, (_, index) => goText(value.at(index))).join(", ")}]`;
    case "map":
      return `{${value
        .keys()
        .map((key) => `${goText(key)}: ${goText(value.find(key) ?? null)}`)
        .join(", ")}}`;
    case "optional":
      return value.value === undefined ? "optional.none()" : `optional(${goText(value.value)})`;
    default:
      return value satisfies never;
  }
}

/** All digits, without an exponent. */
function plain(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= 0) return BigInt(value).toString();
  return `0.${"0".repeat(-power - 1)}${digits.replace(".", "")}`;
}
