import { requestBytes } from "@kaji/cel";
import type { SchemaSizes } from "@kaji/cel";
import { forbiddenField } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { additionalOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

/** What one expression may cost by its estimate, for all values in an object together. */
const mostPerExpression = 10_000_000;
/** What all expressions of a schema may cost. */
const mostPerSchema = 100_000_000;
const mostNamed = 4;

/** Sums up what the expressions of a schema are estimated to cost. */
export class RuleCosts {
  #total = 0;
  /** Those that are worth mentioning, the most expensive first. */
  #expensive: readonly { readonly path: FieldPath; readonly cost: number }[] = [];

  /** Adds an expression; says so when it alone is too expensive. */
  add(path: FieldPath, cost: number, name: "rule" | "messageExpression"): readonly FieldError[] {
    this.#total += cost;
    if (cost >= mostPerSchema / 100) {
      this.#expensive = [...this.#expensive, { path, cost }].toSorted((left, right) => right.cost - left.cost).slice(0, mostNamed);
    }
    return cost > mostPerExpression ? [forbiddenField(path, tooExpensive(`estimated ${name} cost`, cost, mostPerExpression))] : [];
  }

  /** What is wrong with all of them together. */
  errors(path: FieldPath): readonly FieldError[] {
    if (this.#total <= mostPerSchema) return [];
    const part = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const whole = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.#expensive.map((expression) => forbiddenField(expression.path, part)),
      forbiddenField(path, tooExpensive(whole, this.#total, mostPerSchema)),
    ];
  }
}

/** How many values of a schema there can be in an object, or undefined if there is no limit, for what is inside of one of which there can be so many. */
export function cardinalityInside(schema: JsonSchemaProps, cardinality: number | undefined): number | undefined {
  const most = mostElements(schema);
  return cardinality === undefined || most === undefined ? undefined : cardinality * most;
}

/** How many values there can be in a request where the schema sets no limit. */
export function cardinalityInRequest({ leastBytes }: SchemaSizes): number {
  return Math.trunc(requestBytes / (leastBytes + 1));
}

function mostElements(schema: JsonSchemaProps): number | undefined {
  if (schema.type === "array") return atLeastZero(schema.maxItems);
  const isMap = schema.type === "object" && (additionalOf(schema) !== undefined || schema.additionalProperties !== undefined);
  return isMap ? atLeastZero(schema.maxProperties) : 1;
}

function atLeastZero(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit);
}

function tooExpensive(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? "more than 100x" : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  const advice =
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
  return `${what} exceeds budget by factor of ${shown} ${advice}`;
}
