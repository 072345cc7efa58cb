import type { Labels } from "@kaji/core";

/** Labels as tables show them. */
export function formatLabels(labels: Labels): string {
  const pairs = Object.keys(labels)
    .toSorted()
    .map((key) => `${key}=${labels[key]}`);
  return pairs.length === 0 ? "<none>" : pairs.join(",");
}
