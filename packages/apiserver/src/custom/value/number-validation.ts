import { formatGoFloat } from "@kaji/core/go";
import { valueProblem } from "./schema-problem.ts";
import type { SchemaFindings, SchemaProblem } from "./schema-problem.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

const formatsOf: Readonly<Record<string, readonly string[]>> = { integer: ["int32", "int64"], number: ["float", "double"] };

/** Checks a number by the bounds of a schema, and by its type and format where it has just one of each. */
export class NumberRules {
  readonly #type: string;
  readonly #format: string;
  readonly #schema: JsonSchemaProps;

  constructor(schema: JsonSchemaProps, types: readonly string[], format: string) {
    const [only = ""] = types;
    this.#type = types.length === 1 && (only === "integer" || only === "number") ? only : "";
    this.#format = formatsOf[this.#type]?.includes(format) === true ? format : "";
    this.#schema = schema;
  }

  check(value: number | bigint, name: string, findings: SchemaFindings): void {
    const { multipleOf, minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false } = this.#schema;
    this.#checkRange(value, "Checked", name, findings);
    if (multipleOf !== undefined) {
      checkMultiple(value, multipleOf, this.#comparesIntegers(value, multipleOf, "MultipleOf", name, findings), name, findings);
    }
    if (minimum !== undefined) {
      const bound = { value: minimum, exclusive: exclusiveMinimum, direction: "least" } as const;
      checkBound(value, bound, this.#comparesIntegers(value, minimum, "Minimum boundary", name, findings), name, findings);
    }
    if (maximum !== undefined) {
      const bound = { value: maximum, exclusive: exclusiveMaximum, direction: "most" } as const;
      checkBound(value, bound, this.#comparesIntegers(value, maximum, "Maximum boundary", name, findings), name, findings);
    }
  }

  /** Whether value and constraint are compared as integers. A constraint that does not fit the type is complained about each time. */
  #comparesIntegers(value: number | bigint, constraint: number, what: string, name: string, findings: SchemaFindings): boolean {
    return this.#checkRange(constraint, what, name, findings) && isInteger(value);
  }

  #checkRange(value: number | bigint, what: string, name: string, findings: SchemaFindings): boolean {
    if (this.#fits(value)) return true;
    const format = this.#format === "" ? "(default format)" : `with format ${this.#format}`;
    findings.add({ type: "Whole", message: `${what} value must be of type ${this.#type} ${format} in ${name}` });
    return false;
  }

  #fits(value: number | bigint): boolean {
    if (this.#type === "number") return this.#format !== "float" || Number.isFinite(Math.fround(Number(value)));
    if (this.#type !== "integer") return true;
    if (typeof value === "number" && !Number.isInteger(value)) return false;
    return BigInt.asIntN(this.#format === "int32" ? 32 : 64, BigInt(value)) === BigInt(value);
  }
}

/** Whether a number came as an integer that Go would hold in an int64. */
export function isInteger(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** Whether a floating-point number passes for an integer: upstream tolerates a tiny error. */
export function isNearInteger(value: number): boolean {
  if (!(value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER)) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return value > 0 && whole > 0 && Math.abs(value - whole) / (value + whole) < 1e-9;
}

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
  readonly direction: "least" | "most";
}

function checkBound(value: number | bigint, bound: Bound, asIntegers: boolean, name: string, findings: SchemaFindings): void {
  const { exclusive, direction } = bound;
  const limit = asIntegers ? toInt64(bound.value) : bound.value;
  const isBeyond = direction === "most" ? value > limit : value < limit;
  // A number and a bigint may be equal, though never strictly.
  if (!isBeyond && !(exclusive && value == limit)) return;
  const relation = direction === "most" ? "less than" : "greater than";
  const shown = typeof limit === "bigint" ? String(limit) : formatGoFloat(limit);
  findings.add(numberProblem(name, value, asIntegers, `should be ${relation}${exclusive ? "" : " or equal to"} ${shown}`));
}

function checkMultiple(value: number | bigint, multipleOf: number, asIntegers: boolean, name: string, findings: SchemaFindings): void {
  const factor = asIntegers ? toInt64(multipleOf) : multipleOf;
  const shown = typeof factor === "bigint" ? String(factor) : formatGoFloat(factor);
  if (factor <= 0) {
    const message = `factor MultipleOf declared for ${name} must be positive: ${shown}`;
    findings.add({ type: "Value", name, message, value: factor });
    return;
  }
  const isMultiple = typeof factor === "bigint" ? BigInt(value) % factor === 0n : isNearInteger(quotient(Number(value), factor));
  if (!isMultiple) findings.add(numberProblem(name, value, asIntegers, `should be a multiple of ${shown}`));
}

function numberProblem(name: string, value: number | bigint, asInteger: boolean, rule: string): SchemaProblem {
  if (asInteger) return valueProblem(name, value, rule);
  return { type: "Float", name, message: `${name} in body ${rule}`, value: Number(value) };
}

function quotient(value: number, factor: number): number {
  return factor < 1 ? (1 / factor) * value : value / factor;
}

/** As Go converts a float64: the fraction is cut off, and what does not fit becomes the least int64. */
function toInt64(value: number): bigint {
  const least = -(2n ** 63n);
  if (!Number.isFinite(value)) return least;
  const whole = BigInt(Math.trunc(value));
  return BigInt.asIntN(64, whole) === whole ? whole : least;
}
