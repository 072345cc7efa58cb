import { ParseError, Quantity } from "@kaji/core";
import type { FieldPath } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { objectField, stringMapField } from "../json-fields.ts";
import type { Fields } from "../json-fields.ts";
import type { ScriptedUsage } from "../../kubelet/consumption.ts";

/** Where a pod that only seems to run says what each of its containers uses: `cpu=250m,memory=64Mi`. */
const usageAnnotation = "kaji.dev/usage";

/** What the annotation of a pod says; undefined if it has none, or one that cannot be read. */
export function annotatedUsage({ metadata }: Pod): ScriptedUsage | undefined {
  const text = metadata.annotations?.[usageAnnotation];
  const usage = text === undefined ? undefined : readUsage(text);
  return typeof usage === "string" ? undefined : usage;
}

/** What the author of a pod, or of a template at this path, should know: nobody else says that the annotation cannot be read. Nothing where it has been so before. */
export function usageWarnings(pod: Fields, root: FieldPath, old?: Fields): readonly string[] {
  const text = textOf(pod);
  if (text === undefined || (old !== undefined && textOf(old) === text)) return [];
  const usage = readUsage(text);
  return typeof usage === "string" ? [`${root.child("metadata", "annotations").key(usageAnnotation)}: ${usage}`] : [];
}

function textOf(pod: Fields): string | undefined {
  return stringMapField(objectField(pod, "metadata"), "annotations")[usageAnnotation];
}

/** What a text says, or why it says nothing. */
function readUsage(text: string): ScriptedUsage | string {
  const usage: { cpu?: string; memory?: string } = {};
  for (const entry of text.split(",")) {
    const [name = "", amount = ""] = entry.split("=", 2).map((part) => part.trim());
    if (name !== "cpu" && name !== "memory") return `is not like "cpu=250m,memory=64Mi": it has "${entry.trim()}"`;
    if (!isQuantity(amount)) return `${name} is no quantity like 250m or 64Mi: "${amount}"`;
    usage[name] = amount;
  }
  return usage;
}

function isQuantity(text: string): boolean {
  try {
    Quantity.parse(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
