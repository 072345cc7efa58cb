import type { z } from "zod";
import type { SchemaPlace } from "./schema-place.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { refuseCheck } from "./zod-check.ts";

/** A limit, and whether it is itself outside. */
interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** The schema of a `z.number()` and of each of its formats. */
export function numberFromZod(checks: readonly z.core.$ZodCheck[], place: SchemaPlace): StructuralSchema {
  let format: "int32" | "int64" | undefined;
  const lower: Bound[] = [];
  const upper: Bound[] = [];
  const factors = new Set<number>();
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    if (def.check === "number_format") {
      const range = rangeOfFormat(def.format, place);
      if (range === undefined) continue;
      format = format === "int32" ? format : range.format;
      if (range.min !== undefined) lower.push({ value: range.min, exclusive: false });
      if (range.max !== undefined) upper.push({ value: range.max, exclusive: false });
    } else if (def.check === "greater_than") lower.push(boundOf(def, place));
    else if (def.check === "less_than") upper.push(boundOf(def, place));
    else if (def.check === "multiple_of") factors.add(Number(def.value));
    else refuseCheck(check, place);
  }
  const minimum = lower
    .filter(({ value }) => value > -Infinity)
    .toSorted((a, b) => b.value - a.value || Number(b.exclusive) - Number(a.exclusive))[0];
  const maximum = upper
    .filter(({ value }) => value < Infinity)
    .toSorted((a, b) => a.value - b.value || Number(b.exclusive) - Number(a.exclusive))[0];
  const factor = factorOf(factors, place);
  return {
    ...(format === undefined ? { type: "number" } : { type: "integer", format }),
    ...(minimum === undefined ? {} : { minimum: minimum.value, ...(minimum.exclusive ? { exclusiveMinimum: true } : {}) }),
    ...(maximum === undefined ? {} : { maximum: maximum.value, ...(maximum.exclusive ? { exclusiveMaximum: true } : {}) }),
    ...(factor === undefined ? {} : { multipleOf: factor }),
  };
}

interface FormatRange {
  readonly format?: "int32" | "int64";
  readonly min?: number;
  readonly max?: number;
}

/** The limits of int32 need not be written: the server knows them. Beyond the safe integers JavaScript would read another number. */
function rangeOfFormat(format: z.core.$ZodNumberFormats, place: SchemaPlace): FormatRange | undefined {
  switch (format) {
    case "int32":
      return { format: "int32" };
    case "uint32":
      return { format: "int64", min: 0, max: 2 ** 32 - 1 };
    case "safeint":
      return { format: "int64", min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
    case "float64":
      return {};
    case "float32":
      place.report("z.float32() rounds differently in the server; use z.number()");
      return undefined;
    default:
      return format satisfies never;
  }
}

/** The server cuts the fraction off a bound before it compares a whole number with it: at least 1.5 lets 1 through. */
function boundOf(def: z.core.$ZodCheckGreaterThanDef | z.core.$ZodCheckLessThanDef, place: SchemaPlace): Bound {
  const value = Number(def.value);
  if (!Number.isSafeInteger(value) && Math.abs(value) !== Infinity) {
    const operator = `${def.check === "greater_than" ? ">" : "<"}${def.inclusive ? "=" : ""}`;
    place.report(
      `the server does not compare with the bound ${value} exactly; use a whole number, or .check(k.rule("self ${operator} ${value}"))`,
    );
  }
  return { value, exclusive: !def.inclusive };
}

function factorOf(factors: ReadonlySet<number>, place: SchemaPlace): number | undefined {
  const [factor, ...others] = factors;
  if (others.length > 0) place.report(`a number cannot have several factors (${[...factors].join(", ")}); use their least common multiple`);
  if (factor !== undefined && !(Number.isSafeInteger(factor) && factor > 0)) {
    place.report(`the server cannot check multiples of ${factor}; use a whole number above zero, or .check(k.rule(…))`);
  }
  return factor;
}
