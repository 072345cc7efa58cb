import { stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { Dice } from "../random/dice.ts";

/** A schema, and values for it: most of them valid, the others of the right type. */
export interface Shape {
  readonly schema: JsonObject;
  sample(dice: Dice): JsonValue;
  /** A value that is valid for certain, if there is one that is known. */
  readonly valid?: JsonValue;
  /** Whether rules see nothing of it. */
  readonly isHidden?: true;
}

/** Where a schema stands: how deep others may be within it, and whether rules there can compare a value with what it was before. */
export interface Place {
  readonly depth: number;
  readonly hasPast: boolean;
}

/** One of some rules that make sense where a schema stands, or none. */
export function rules(dice: Dice, { hasPast }: Place, some: readonly JsonObject[]): JsonObject {
  const possible = hasPast ? some : some.filter((rule) => !stringifyJson(rule).includes("oldSelf"));
  return possible.length > 0 && dice.onceIn(3) ? { "x-kubernetes-validations": [dice.of(possible)] } : {};
}
