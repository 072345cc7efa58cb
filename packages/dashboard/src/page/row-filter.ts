import type { Row } from "./live-message.ts";

/** Whether a row is to be shown: it is of the namespace, or of none, and has all words of the filter somewhere in what one sees of it. */
export function isShown(row: Row, { namespace, filter }: { readonly namespace: string | undefined; readonly filter: string }): boolean {
  if (namespace !== undefined && row.namespace !== undefined && row.namespace !== namespace) return false;
  const words = filter.toLowerCase().split(/\s+/);
  if (words.every((word) => word === "")) return true;
  const text = [row.key, row.why, ...row.cells].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
