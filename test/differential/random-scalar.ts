import type { JsonObject } from "@kaji/core";
import type { Dice } from "../random/dice.ts";
import { rules } from "./shape.ts";
import type { Place, Shape } from "./shape.ts";
import { textFormats } from "./text-formats.ts";

/** A number or a text. */
export function scalarShape(dice: Dice, place: Place): Shape {
  return dice.onceIn(3) ? numberShape(dice, place) : textShape(dice, place);
}

function numberShape(dice: Dice, place: Place): Shape {
  const type = dice.of(["integer", "number"]);
  const formats = type === "integer" ? ["int32", "int64"] : ["float", "double", "int32"];
  const limit = dice.of<JsonObject>([
    {},
    { minimum: 0 },
    { maximum: 5 },
    { minimum: 0, exclusiveMinimum: true },
    { maximum: 2.5 },
    { multipleOf: 2 },
    { multipleOf: 0.1 },
    { enum: [1, 2, 3] },
    { not: { enum: [2] } },
    { anyOf: [{ minimum: 3 }, { maximum: 0 }] },
  ]);
  const schema = { type, ...limit, ...(dice.onceIn(3) ? { format: dice.of(formats) } : {}), ...rules(dice, place, numberRules(type)) };
  const numbers = [0, 1, 2, 3, 4, 5, 6, -1, ...(type === "number" || dice.onceIn(4) ? [0.5, 2.5, 0.3, 1e3] : []), 2 ** 31, -(2 ** 31) - 1];
  return { schema, sample: (some) => some.of(numbers) };
}

function numberRules(type: string): readonly JsonObject[] {
  const one = type === "integer" ? "1" : "1.0";
  return [
    { rule: `self >= ${one}` },
    { rule: "self >= oldSelf", message: "never less" },
    { rule: `self + ${one} > self`, messageExpression: "self > self ? '' : 'too ' + 'much'" },
    { rule: `self != ${one}`, reason: "FieldValueRequired" },
  ];
}

function textShape(dice: Dice, place: Place): Shape {
  if (dice.onceIn(2)) {
    const [format, texts] = dice.of(Object.entries(textFormats));
    return { schema: { type: "string", format }, sample: (some) => some.of(some.onceIn(2) ? texts : formattedTexts) };
  }
  const limit = dice.of<JsonObject>([
    {},
    { minLength: 2 },
    { maxLength: 2 },
    { pattern: "^[a-z]+$" },
    { pattern: "\\d" },
    { enum: ["x", "yy"] },
    { allOf: [{ minLength: 1 }, { maxLength: 3 }] },
    { oneOf: [{ pattern: "^a" }, { pattern: "b$" }] },
    { not: { pattern: "^x$" } },
  ]);
  return {
    schema: { type: "string", maxLength: 20, ...limit, ...rules(dice, place, textRules) },
    sample: (some) => some.of(["", "x", "yy", "abc", "ab", "a1", "aß", "Long enough to be too long"]),
  };
}

const textRules: readonly JsonObject[] = [
  { rule: "self.size() > 1" },
  { rule: "self == oldSelf", message: "it stays" },
  { rule: "self.startsWith('a') || self.endsWith('y')", messageExpression: "'not so: ' + self" },
  { rule: "self.matches('^[a-z]*$')", message: "letters" },
  { rule: "self.lowerAscii() == self", reason: "FieldValueForbidden" },
];

const formattedTexts = Object.values(textFormats).flat();
