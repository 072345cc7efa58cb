import { isJsonArray, isJsonObject, parseJson } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import type { Fault, Plan } from "../simulation/plan.ts";

/** A plan as a short text, for a command line. */
export function formatPlan(plan: Plan): string {
  return Buffer.from(JSON.stringify(plan)).toString("base64url");
}

/** The plan of such a text. */
export function parsePlan(text: string): Plan {
  const value = decoded(text);
  const { seed, ops, faults, values } = value;
  if (typeof seed !== "number" || !isJsonArray(ops) || !ops.every((op) => typeof op === "number") || !isJsonArray(faults)) {
    throw new TypeError("replay: the text is not a plan: copy the whole of it from the report");
  }
  // Written by formatPlan.
  const simpler = values !== undefined && isJsonObject(values) ? { values: values as NonNullable<Plan["values"]> } : {};
  return { seed, ops, ...simpler, faults: faults as readonly Fault[] };
}

function decoded(text: string): JsonObject {
  try {
    const value = parseJson(Buffer.from(text, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
