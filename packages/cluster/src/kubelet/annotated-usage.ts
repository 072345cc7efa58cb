import { ParseError } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { consumptionOf } from "./consumption.ts";
import type { Consumption } from "./consumption.ts";

/** Where a pod that only seems to run says what each of its containers uses: `cpu=250m,memory=64Mi`. */
const usageAnnotation = "kaji.dev/usage";

/** What the annotation of a pod says; undefined if it has none, or one that says nothing sensible. */
export function annotatedUsage({ metadata }: Pod): Consumption | undefined {
  const text = metadata.annotations?.[usageAnnotation];
  if (text === undefined) return undefined;
  const entries = new Map(text.split(",").map((entry) => pair(entry)));
  const [cpu, memory] = [entries.get("cpu"), entries.get("memory")];
  try {
    return consumptionOf({ ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) });
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function pair(entry: string): readonly [string, string] {
  const [name = "", amount = ""] = entry.split("=", 2);
  return [name.trim(), amount.trim()];
}
