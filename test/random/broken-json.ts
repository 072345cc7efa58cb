import { isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { Dice } from "./dice.ts";

/** Names that mean something to JavaScript and nothing to Kubernetes. */
export const prototypeKeys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "__defineGetter__",
  "valueOf",
] as const;

/** Texts that somebody might not have thought of. */
export const oddTexts: readonly string[] = [
  "",
  " ",
  "\0",
  "\u{1F4A9}",
  "\uD800",
  "\u2028",
  "..",
  "../../etc/passwd",
  "%",
  "{{",
  "-",
  ".",
  "A".repeat(300),
  "a".repeat(64),
  "null",
  "0x10",
  "1e999",
  "kubernetes.io/" + "b".repeat(64),
  "a=b,c!=d",
  "!",
  ",",
  "<script>",
  "\r\nX-Header: 1",
  ...prototypeKeys,
];

/** Values of every type, to be put where another is expected. */
export function anyValue(dice: Dice): JsonValue {
  const numbers = [0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 9007199254740993n, 1e308, -0];
  const others = [null, true, false, [], {}, [null], [[]], { a: { b: null } }, { "": "" }, [{}, 1, "x"]];
  switch (dice.below(4)) {
    case 0:
      return dice.of(oddTexts);
    case 1:
      return dice.of(numbers);
    case 2:
      return withKey(dice.of(prototypeKeys), dice.of<JsonValue>([1, {}, "x", { constructor: 1 }]));
    default:
      return dice.of<JsonValue>(others);
  }
}

/** A copy of a value in which one thing somewhere is another, gone, or there in addition. */
export function mutated(value: JsonValue, dice: Dice): JsonValue {
  if (dice.onceIn(6)) return anyValue(dice);
  if (isJsonArray(value) && value.length > 0) {
    const at = dice.below(value.length);
    return dice.onceIn(8) ? [...value, ...value] : value.map((item, index) => (index === at ? mutated(item, dice) : item));
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return anyValue(dice);
  const key = dice.of(Object.keys(value));
  const entries = Object.entries(value);
  if (dice.onceIn(10)) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (dice.onceIn(8)) return { ...value, ...withKey(dice.of(oddTexts), anyValue(dice)) };
  return Object.fromEntries(entries.map(([name, item = null]) => [name, name === key ? mutated(item, dice) : item]));
}

/** A value, unless it has odd letters or large numbers: how those look in messages is not worth a run. */
export function tame(value: JsonValue, instead: JsonValue): JsonValue {
  return /\\[^"]|[^ -~]|\d{10}/.test(stringifyJson(value)) ? instead : value;
}

/** Damages a text: cut off, with a piece gone or put in, or with bytes that are no text. */
export function damaged(text: string, dice: Dice): Uint8Array {
  const bytes = Buffer.from(text);
  const at = dice.below(bytes.length + 1);
  switch (dice.below(5)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + dice.below(5))]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), dice.bytes(1 + dice.below(4)), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(dice.of(["{", "}", "[", "]", '"', ",", ":", "\\", "\\u12", "1e", "\t"])),
        bytes.subarray(at),
      ]);
    default:
      return Buffer.concat([Buffer.from(dice.of(["\uFEFF", " ", "/*", "x"])), bytes]);
  }
}

/** JSON that is nested without end, or nearly. */
export function deepJson(dice: Dice): string {
  const depth = dice.of([50, 500, 2000, 9_990, 10_001, 50_000]);
  const [open, close, core] = dice.of([
    ["[", "]", ""],
    ['{"a":', "}", "1"],
    ['{"metadata":', "}", "{}"],
    ['[{"b":', "}]", "null"],
  ]);
  const inner = open.repeat(depth) + core + (dice.onceIn(5) ? "" : close.repeat(depth));
  return dice.of([
    inner,
    `{"metadata":{"name":"deep"},"data":${inner}}`,
    `{"metadata":{"name":"deep","annotations":{"a":${inner}}}}`,
    `{"spec":{"free":${inner}}}`,
  ]);
}

/** An own property even where its name is that of the prototype. */
export function withKey(key: string, value: JsonValue): { readonly [key: string]: JsonValue } {
  return Object.fromEntries([[key, value]]);
}
