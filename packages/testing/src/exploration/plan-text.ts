import { createHash } from "node:crypto";
import { isJsonArray, isJsonObject, objectAt, parseJson } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import type { Operation } from "../simulation/operation.ts";
import type { Fault, Plan } from "../simulation/plan.ts";

/** A plan that is written down, with a digest of the operations that its numbers are about, where that is known. */
export interface WrittenPlan extends Plan {
  readonly of?: string;
}

/** A plan as a short text, for a command line. */
export function formatPlan(plan: WrittenPlan): string {
  return Buffer.from(JSON.stringify(plan)).toString("base64url");
}

/** The same for the same operations. */
export function digestOf(operations: readonly Operation[]): string {
  const texts = operations.map(({ text }) => text).join("\n");
  return createHash("sha256").update(texts).digest("hex").slice(0, 8);
}

/** The plan of such a text. */
export function parsePlan(text: string): WrittenPlan {
  const value = decoded(text);
  const { seed, ops, faults, values, of } = value;
  if (typeof seed !== "number" || !isJsonArray(ops) || !ops.every((op) => typeof op === "number") || !isJsonArray(faults)) {
    throw new TypeError("replay: the text is not a plan: copy the whole of it from the report");
  }
  // Written by formatPlan.
  const simpler = isJsonObject(values) ? { values: values as NonNullable<Plan["values"]> } : {};
  return { seed, ops, ...simpler, faults: faults as readonly Fault[], ...(typeof of === "string" ? { of } : {}) };
}

function decoded(text: string): JsonObject {
  try {
    return objectAt(parseJson(Buffer.from(text, "base64url").toString("utf8")));
  } catch {
    return {};
  }
}
