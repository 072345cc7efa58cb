import { isJsonArray, isJsonObject, jsonOf, randomBelow } from "@kaji/core";
import type { FieldError, JsonObject, JsonValue, Random } from "@kaji/core";
import type { DefinedVersion, StructuralSchema } from "@kaji/core/define";

/** The CEL rules of its version that an object breaks, which is what `parse` makes of it. */
export type BrokenRules = (version: DefinedVersion, parsed: JsonObject) => readonly FieldError[];

/** What objects are made by. */
export interface Chance {
  readonly random: Random;
  readonly brokenRules: BrokenRules;
}

/** So often an object is made anew that breaks a rule: a rule says what is wrong, not what would be right. */
const mostTries = 200;

/** An object of a version that is valid, with fields by chance; what chance finds no valid value for is as in the sample, or absent. */
export function randomObject(version: DefinedVersion, { random, brokenRules }: Chance): JsonObject {
  const sample = jsonOf(version.sample());
  const make = (): JsonObject => {
    const fields = randomFields(version.openApiSchema, { sample, random, depth: 0 });
    return repaired(version, { ...sample, ...fields }, sample);
  };
  const found = firstKeepingRules(version, brokenRules, make) ?? repaired(version, sample, sample);
  const [broken] = brokenRules(version, found);
  if (broken === undefined) return found;
  throw new Error(
    `${version.kind}: none of ${mostTries} objects that were made by the schema of ${version.version} keeps its CEL rules, nor does the sample: ` +
      `${broken.field}: ${broken.body}. Give examples to the schema, with .meta({ example }), of which the sample keeps them`,
  );
}

/** The object with some of its fields changed, and still valid; where no change is found that keeps the rules, as it was. */
export function changedObject(object: JsonObject, version: DefinedVersion, chance: Chance): JsonObject {
  const make = (): JsonObject => repaired(version, mixed(object, randomObject(version, chance), chance.random), object);
  return firstKeepingRules(version, chance.brokenRules, make) ?? object;
}

function firstKeepingRules(version: DefinedVersion, brokenRules: BrokenRules, make: () => JsonObject): JsonObject | undefined {
  for (let tries = 0; tries < mostTries; tries++) {
    const made = make();
    if (brokenRules(version, made).length === 0) return made;
  }
  return undefined;
}

/** Takes back what makes an object invalid, field by field, to what it is in one that is valid. */
function repaired(version: DefinedVersion, object: JsonObject, valid: JsonObject): JsonObject {
  let mending = object;
  for (let attempt = 0; attempt < 10; attempt++) {
    const errors = version.validate(mending);
    if (errors.length === 0) return jsonOf(version.parse(mending));
    for (const { field } of errors) {
      const path = (/^[^[]*/.exec(field)?.[0] ?? "").split(".");
      // Each time more of what is around the field is taken back with it.
      mending = replacedAt(mending, path.slice(0, Math.max(1, path.length - attempt)), valid);
    }
  }
  return jsonOf(version.parse(valid));
}

function replacedAt(object: JsonObject, [name = "", ...rest]: readonly string[], source: JsonValue | undefined): JsonObject {
  const replacement = isJsonObject(source) && Object.hasOwn(source, name) ? source[name] : undefined;
  const present = object[name];
  if (rest.length > 0 && isJsonObject(present)) return { ...object, [name]: replacedAt(present, rest, replacement) };
  const { [name]: _, ...others } = object;
  return replacement === undefined ? others : { ...others, [name]: replacement };
}

function mixed(one: JsonObject, other: JsonObject, random: Random): JsonObject {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !identity.includes(name));
  const fields = names.map((name): readonly [string, JsonValue | undefined] => {
    const [mine, theirs] = [one[name], other[name]];
    if (isJsonObject(mine) && isJsonObject(theirs)) return [name, mixed(mine, theirs, random)];
    return [name, randomBelow(random, 4) === 0 ? theirs : mine];
  });
  return { ...one, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) };
}

const identity: readonly string[] = ["apiVersion", "kind", "metadata"];

/** Deeper than this, most fields that may be absent are: a schema with a pod in it would make large objects of which a conversion changes nothing. */
const mostDepth = 4;

/** Where a value is to be, and what the sample has there. */
interface Place {
  readonly sample: JsonValue | undefined;
  readonly random: Random;
  readonly depth: number;
}

function randomFields(schema: StructuralSchema, { sample, random, depth }: Place): JsonObject {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): readonly [string, JsonValue | undefined] => {
    const sampled = isJsonObject(sample) && Object.hasOwn(sample, name) ? sample[name] : undefined;
    const isNeeded = (schema.required ?? []).includes(name);
    if (!isNeeded && isLeftOut(random, depth)) return [name, undefined];
    return [name, randomValue(field, { sample: sampled, random, depth: depth + 1 })];
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function isLeftOut(random: Random, depth: number): boolean {
  return depth > mostDepth ? randomBelow(random, 8) !== 0 : randomBelow(random, 3) === 0;
}

function randomValue(schema: StructuralSchema, place: Place): JsonValue | undefined {
  const { sample, random } = place;
  if (schema.enum !== undefined) return pick(schema.enum, random);
  if (schema["x-kubernetes-int-or-string"] === true) return pick([randomBelow(random, 100), "25%", "http"], random);
  if (schema["x-kubernetes-embedded-resource"] === true) return sample ?? { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  switch (schema.type) {
    case "object": {
      const entry = schema.additionalProperties === true ? {} : schema.additionalProperties;
      if (entry === undefined) return randomFields(schema, place);
      return Object.fromEntries(randomList(random).map((index) => [`key-${index}`, randomValue(entry, { ...place, sample: undefined })]));
    }
    case "array":
      return randomList(random).map((index) => {
        const item = isJsonArray(sample) ? sample[index] : undefined;
        return randomValue(schema.items ?? {}, { ...place, sample: item }) ?? null;
      });
    case "boolean":
      return randomBelow(random, 2) === 0;
    case "integer":
      return randomNumber(schema, random);
    case "number":
      return randomNumber(schema, random) + pick([0, 0.5], random);
    case "string":
      return pick([...texts, ...(typeof sample === "string" ? [sample] : [])], random);
    case undefined:
      return pick([true, "free", { free: ["form"] }], random);
    default:
      return schema.type satisfies never;
  }
}

/** Texts of the forms that fields often ask for; those that a field does not allow are taken back. */
const texts = [
  "",
  "a",
  "web",
  "web-1",
  "Web",
  "example.com",
  "10Gi",
  "250m",
  "1h30m",
  "2026-01-01T00:00:00Z",
  "nginx:1.29",
  "https://example.com",
  "h:80",
  "*/5 * * * *",
];

function randomNumber({ minimum = -1000, maximum = 1000, multipleOf = 1 }: StructuralSchema, random: Random): number {
  const [least, most] = [Math.ceil(minimum / multipleOf), Math.floor(Math.min(maximum, Math.max(1000, minimum + 1000)) / multipleOf)];
  return (least + randomBelow(random, Math.max(1, most - least + 1))) * multipleOf;
}

function randomList(random: Random): readonly number[] {
  return Array.from({ length: randomBelow(random, 4) }, (_, index) => index);
}

function pick<V>(values: readonly V[], random: Random): V {
  const value = values[randomBelow(random, values.length)];
  if (value === undefined) throw new TypeError("there is nothing to pick from");
  return value;
}
