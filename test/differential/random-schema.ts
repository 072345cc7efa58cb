import type { JsonObject, JsonValue } from "@kaji/core";
import type { Dice } from "../random/dice.ts";
import { scalarShape } from "./random-scalar.ts";
import { rules } from "./shape.ts";
import type { Place, Shape } from "./shape.ts";

/** The names of fields. */
const fields = ["a", "b", "c", "d"] as const;

/** A schema of any type, not nested deeper than that. */
export function randomShape(dice: Dice, place: Place): Shape {
  const shape = place.depth === 0 ? randomLeaf(dice, place) : randomBranch(dice, { ...place, depth: place.depth - 1 });
  if (!dice.onceIn(6)) return shape;
  return { ...shape, schema: { ...shape.schema, nullable: true }, sample: (some) => (some.onceIn(4) ? null : shape.sample(some)) };
}

function randomBranch(dice: Dice, place: Place): Shape {
  switch (dice.below(8)) {
    case 0:
    case 1:
      return arrayShape(dice, place);
    case 2:
      return mapShape(dice, place);
    case 3:
    case 4:
    case 5:
      return objectShape(dice, place);
    default:
      return randomLeaf(dice, place);
  }
}

/** An object with a few fields. */
export function objectShape(dice: Dice, place: Place): Shape {
  const shapes = new Map(fields.slice(0, 1 + dice.below(fields.length)).map((name) => [name, randomShape(dice, place)]));
  const names = [...shapes.keys()];
  const properties = [...shapes].map(([name, shape]) => [name, withDefault(dice, shape)] as const);
  const sample = (some: Dice): JsonValue =>
    Object.fromEntries([...shapes].filter(() => !some.onceIn(4)).map(([name, shape]) => [name, shape.sample(some)]));
  const demands = {
    ...(dice.onceIn(3) ? { required: [dice.of(names)] } : {}),
    ...(dice.onceIn(5) ? dice.of(combinations(names)) : {}),
    ...rules(dice, place, objectRules([...shapes].flatMap(([name, { isHidden }]) => (isHidden ? [] : [name])))),
  };
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...demands,
    ...(dice.onceIn(8) ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    ...(dice.onceIn(8) ? { "x-kubernetes-map-type": "atomic" } : {}),
  };
  return { schema, sample, ...(Object.keys(demands).length === 0 ? { valid: {} } : {}) };
}

/** The schema of a field, some with a default. */
export function withDefault(dice: Dice, { schema, valid }: Shape): JsonObject {
  return valid !== undefined && dice.onceIn(3) ? { ...schema, default: valid } : schema;
}

/** What a schema may demand of which fields are there. */
function combinations(names: readonly string[]): readonly JsonObject[] {
  const [first = "a", last = "a"] = [names[0], names.at(-1)];
  const either = [{ required: [first] }, { required: [last] }];
  return [
    { oneOf: either },
    { anyOf: either },
    { allOf: either },
    { not: { required: [last] } },
    { minProperties: 2 },
    { maxProperties: 1 },
    { anyOf: [{ required: [first], properties: { [first]: { enum: ["x", 1, true] } } }, { not: { required: [first] } }] },
  ];
}

function objectRules(names: readonly string[]): readonly JsonObject[] {
  const [first, last] = [names[0], names.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    { rule: `has(self.${first})` },
    { rule: `!has(self.${first}) || has(self.${last})`, message: "one with the other" },
    { rule: `has(self.${first}) == has(oldSelf.${first})`, fieldPath: `.${first}`, reason: "FieldValueForbidden" },
    { rule: `!has(self.${first}) || self.${first} == self.${first}` },
    { rule: `!has(oldSelf.${last}) || (has(self.${last}) && self.${last} == oldSelf.${last})`, message: `${last} does not change` },
    { rule: `oldSelf.hasValue() || has(self.${last})`, optionalOldSelf: true, messageExpression: `"needs " + "${last}"` },
  ];
}

function arrayShape(dice: Dice, place: Place): Shape {
  const isFilled = dice.onceIn(4);
  const limits = { maxItems: 4, ...(isFilled ? { minItems: 1 } : {}) };
  const within = { ...place, hasPast: false };
  const some = (item: Shape) => (other: Dice) => Array.from({ length: other.below(4) }, () => item.sample(other));
  switch (dice.below(4)) {
    case 0: {
      const item = scalarShape(dice, within);
      return { schema: { type: "array", items: item.schema, ...limits, "x-kubernetes-list-type": "set" }, sample: some(item) };
    }
    case 1: {
      const rest = randomShape(dice, place);
      const properties = { key: { type: "string", maxLength: 10 }, rest: rest.schema };
      const schema = {
        type: "array",
        items: { type: "object", required: ["key"], properties },
        ...limits,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["key"],
      };
      const item: Shape = { schema, sample: (other) => ({ key: other.of(["k", "l", "m", "n"]), rest: rest.sample(other) }) };
      return { schema, sample: some(item) };
    }
    default: {
      const item = randomShape(dice, within);
      const listType = dice.onceIn(2) ? { "x-kubernetes-list-type": "atomic" } : {};
      return {
        schema: { type: "array", items: item.schema, ...limits, ...listType, ...rules(dice, place, arrayRules) },
        sample: some(item),
        ...(isFilled ? {} : { valid: [] }),
      };
    }
  }
}

const arrayRules: readonly JsonObject[] = [
  { rule: "self.size() < 3" },
  { rule: "self.size() >= oldSelf.size()", message: "grows only" },
  { rule: "self.all(x, self.exists_one(y, x == y))", message: "each of them once", reason: "FieldValueDuplicate" },
  { rule: "self.map(x, x).size() == self.size()" },
];

function mapShape(dice: Dice, place: Place): Shape {
  const value = randomShape(dice, place);
  const schema = { type: "object", additionalProperties: value.schema, maxProperties: 4, ...rules(dice, place, mapRules) };
  return {
    schema,
    sample: (some) => Object.fromEntries(["k", "l", "m n"].filter(() => some.onceIn(2)).map((key) => [key, value.sample(some)])),
    valid: {},
  };
}

const mapRules: readonly JsonObject[] = [
  { rule: "self.all(key, key != 'm n')", message: "no blanks" },
  { rule: "oldSelf.all(key, key in self)", message: "nothing goes" },
  { rule: "self.size() != 1", messageExpression: "self.size() == 1 ? 'only one' : ''" },
];

function randomLeaf(dice: Dice, place: Place): Shape {
  switch (dice.below(7)) {
    case 0:
      return { schema: { type: "boolean" }, sample: (some) => some.onceIn(2), valid: true };
    case 1:
      return { schema: { "x-kubernetes-int-or-string": true }, sample: (some) => some.of<JsonValue>([0, 5, "5", "80%"]), valid: 1 };
    case 2:
      return {
        schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        sample: (some) => some.of<JsonValue>([{}, { any: 1 }, { any: { thing: [null] } }]),
        valid: { some: "thing" },
        isHidden: true,
      };
    default:
      return scalarShape(dice, place);
  }
}
