import { ParseError, Quantity, formatTime, isJsonArray, parseTime } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { StructuralSchema } from "@kaji/core/define";

/** A field that holds something and is to hold something else. */
export interface HeldField {
  readonly schema: StructuralSchema;
  readonly present: JsonValue;
  /** A value of a schema within the field, another one for each variant. */
  readonly sample: (schema: StructuralSchema, variant: number) => JsonValue;
  /** The first of some values that the field may have, or none. */
  readonly firstAllowed: (candidates: readonly JsonValue[]) => readonly JsonValue[];
}

const hourMs = 3_600_000;
/** So many different items are tried for a list, until one is allowed beside the others. */
const mostItems = 3;

/** Values that a field may have instead of the present one, one after the other, as far as the schema tells. */
export function otherValues({ schema, present, sample, firstAllowed }: HeldField): readonly JsonValue[] {
  if (schema.enum !== undefined) return schema.enum.filter((value) => value !== present).slice(0, 2);
  if (schema["x-kubernetes-int-or-string"] === true) return firstAllowed(otherIntOrString(schema, present));
  switch (schema.type) {
    case "boolean":
      return [present !== true];
    case "integer":
    case "number":
      return otherNumbers(schema, Number(present)).flatMap(firstAllowed);
    case "string":
      return firstAllowed(schema.format === "date-time" ? anHourLater(textOf(present)) : otherTexts(textOf(present)));
    case "array":
      return isJsonArray(present) ? otherLists({ schema, present, sample, firstAllowed }) : [];
    case "object":
    case undefined:
      return [];
    default:
      return schema.type satisfies never;
  }
}

/** More, and none or as few as there may be; of each, values to choose from. */
function otherNumbers({ minimum = -Infinity, multipleOf: step = 1 }: StructuralSchema, present: number): readonly (readonly number[])[] {
  const fewer = [0, minimum, present - step, present / 2].filter((value) => value < present && value > -Infinity);
  return [[present + 2 * step, present + step], fewer];
}

/** What is to begin with where there is nothing: where a text can be anything, a number is the safer guess. */
export function firstValue({ schema, sample }: Pick<HeldField, "schema" | "sample">): JsonValue {
  const { pattern, example, enum: members } = schema;
  const isUntold = schema["x-kubernetes-int-or-string"] === true && (pattern ?? example ?? members) === undefined;
  return isUntold ? 1 : sample(schema, 0);
}

/** An amount grows, since hardly any may shrink. A text that can be anything becomes a number, so that both are seen. */
function otherIntOrString({ pattern }: StructuralSchema, present: JsonValue): readonly JsonValue[] {
  if (pattern === undefined) return [typeof present === "number" ? present + 1 : 1];
  return [...parsed(() => grown(Quantity.parse(textOf(present)))), ...otherTexts(textOf(present))];
}

function grown(amount: Quantity): string {
  return amount.isZero() ? "1" : amount.add(amount).toString();
}

function anHourLater(time: string): readonly string[] {
  return parsed(() => formatTime(parseTime(time) + hourMs));
}

/** A single value as it is written. */
function textOf(value: JsonValue): string {
  return typeof value === "object" ? "" : String(value);
}

/** What a text says, or nothing if it is not what it is taken for. */
function parsed<T>(parse: () => T): readonly T[] {
  try {
    return [parse()];
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

/** Other texts in place of one. What begins with a number, such as `30s` or `10Gi`, is taken for an amount of something. */
export function otherTexts(present: string): readonly string[] {
  const more = present.replace(/\d+/, (digits) => String(BigInt(digits) + 1n));
  const beginning = present.slice(0, -1);
  const others = [`${present}-other`, more, `${beginning}b`, `${beginning}2`, `${beginning}c`];
  return (/^\d/.test(present) ? [more, ...others] : others).filter((other) => other !== present);
}

/** One item more, all in another order, and one item less. */
function otherLists({
  schema,
  present,
  sample,
  firstAllowed,
}: HeldField & { readonly present: readonly JsonValue[] }): readonly JsonValue[] {
  const { items = {} } = schema;
  const longer = (list: readonly JsonValue[]): readonly (readonly JsonValue[])[] =>
    firstAllowed(Array.from({ length: mostItems }, (_, more) => [...list, sample(items, list.length + more)])).filter(isJsonArray);
  const lists = longer(present).flatMap((one) => [one, ...(one.length === 1 ? longer(one) : [])]);
  const [last] = lists.slice(-1);
  const turned = last?.toReversed() ?? present.toReversed();
  return [...lists, ...firstAllowed([turned]), ...firstAllowed([turned.slice(0, -1)])];
}
