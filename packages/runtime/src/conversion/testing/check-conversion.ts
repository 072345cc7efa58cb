import { aggregateMessage, errorMessage, isJsonObject, jsonOf, parseJson, stringifyJson, structuralEqual, valueAt } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { DefinedVersion } from "@kaji/core/define";
import { seededRandom } from "@kaji/core/testing";
import { changedObject, randomObject } from "./random-object.ts";
import type { BrokenRules, Chance } from "./random-object.ts";
import type { Conversion } from "../convert.ts";
import { keptAnnotation } from "../kept-fields.ts";

/** How thoroughly a conversion is tried. */
export interface CheckConversionOptions {
  /** How many objects of each version are tried. Default 200. */
  readonly runs?: number;
  /** What chance depends on: the same seed tries the same objects. Default 1. */
  readonly seed?: number;
  /** The CEL rules of its version that an object breaks, which follows the schema otherwise. Default none: they are not looked at. */
  readonly brokenRules?: BrokenRules;
}

/**
 * Tries a conversion on objects made by chance from the schemas of its versions, and throws where it breaks a law, with the object.
 *
 * - What is converted is valid in its new version.
 * - There and back, an object is what it was, but for fields that are declared lossy.
 * - So is one that is changed in between: the change survives, and nothing that was before comes back.
 */
export function checkConversion(
  conversion: Conversion,
  { runs = 200, seed = 1, brokenRules = () => [] }: CheckConversionOptions = {},
): void {
  const { resource } = conversion;
  const chance: Chance = { random: seededRandom(seed), brokenRules };
  for (const spoke of Object.values(resource.versions)) {
    if (spoke.version === resource.version) continue;
    for (let run = 0; run < runs; run++) {
      checkWay(conversion, spoke, resource, chance);
      checkWay(conversion, resource, spoke, chance);
    }
  }
}

function checkWay(conversion: Conversion, from: DefinedVersion, to: DefinedVersion, chance: Chance): void {
  const { brokenRules } = chance;
  const object = randomObject(from, chance);
  const there = step({ conversion, brokenRules }, object, from, to);
  compare(conversion, object, step({ conversion, brokenRules }, there, to, from), from, to);
  const changed = changedObject(there, to, chance);
  const back = step({ conversion, brokenRules }, changed, to, from);
  compare(conversion, changed, step({ conversion, brokenRules }, back, from, to), to, from);
}

/** What is converted, and by which rules it is held valid. */
interface Laws {
  readonly conversion: Conversion;
  readonly brokenRules: BrokenRules;
}

/** Converts an object as a server would: what is not in the schema is dropped, what has a default is filled in. */
function step({ conversion, brokenRules }: Laws, object: JsonObject, from: DefinedVersion, to: DefinedVersion): JsonObject {
  const where = `${from.kind}: from ${from.version} to ${to.version}`;
  const converted = attempt(where, object, () => asWritten(conversion.convert(object, to.version)));
  return attempt(`${where}, which makes ${stringifyJson(converted)}`, object, () => {
    const parsed = jsonOf(to.parse(converted));
    const broken = brokenRules(to, parsed);
    if (broken.length > 0) throw new Error(aggregateMessage(broken));
    return parsed;
  });
}

function attempt<R>(where: string, object: JsonObject, run: () => R): R {
  try {
    return run();
  } catch (error) {
    const why = errorMessage(error);
    throw new Error(`${where}: ${why}\n  object: ${stringifyJson(object)}`, { cause: error });
  }
}

function compare(conversion: Conversion, before: JsonObject, after: JsonObject, from: DefinedVersion, by: DefinedVersion): void {
  const lost = conversion.losses
    .filter(({ version, missingIn }) => version === from.version && missingIn === by.version)
    .map(({ path }) => path.split("."));
  // What is kept for the other version is compared there, where it is fields.
  const ignored = [...lost, ["metadata", "annotations", keptAnnotation(by)]];
  const [expected, actual] = [without(before, ignored), without(after, ignored)];
  const path = firstDifference(expected, actual, []);
  if (path === undefined) return;
  const [was, is] = [valueAt(expected, ...path), valueAt(actual, ...path)];
  throw new Error(
    `${from.kind}: from ${from.version} to ${by.version} and back, ${path.join(".")} was ${stringifyJson(was)} and is ${is === undefined ? "absent" : stringifyJson(is)}; ` +
      `map it so that it survives, keep it (a map does with \`keep: true\`), or declare it lossy\n  object: ${stringifyJson(before)}`,
  );
}

/** The object without some fields, and without what is empty then. */
function without(object: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  return paths.reduce<JsonObject>((rest, path) => removed(rest, path) ?? {}, object);
}

function removed(object: JsonObject, [name = "", ...rest]: readonly string[]): JsonObject | undefined {
  if (!Object.hasOwn(object, name)) return object;
  const { [name]: value, ...others } = object;
  const left = rest.length > 0 && isJsonObject(value) ? removed(value, rest) : undefined;
  const kept = left === undefined ? others : { ...others, [name]: left };
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function firstDifference(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  path: readonly string[],
): readonly string[] | undefined {
  if (structuralEqual(expected, actual)) return undefined;
  if (!isJsonObject(expected) || !isJsonObject(actual)) return path;
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = firstDifference(expected[name], actual[name], [...path, name]);
    if (found !== undefined) return found;
  }
  return path;
}

/** As it goes over the wire, where an undefined field is an absent one. */
function asWritten(object: JsonObject): JsonObject {
  return parseJson(stringifyJson(object)) as JsonObject;
}
