import type { LabelRequirement, Selector } from "@kaji/core";
import { computedIndex } from "@kaji/informer";
import type { Index } from "@kaji/informer";
import type { CacheReads } from "@kaji/runtime";
import { Pod } from "@kaji/types/core/v1";

/** Pods by each label that they have. */
export const podsByLabel: Index<Pod> = computedIndex(Pod, ({ metadata: { labels = {} } }) =>
  Object.entries(labels).map(([key, value]) => labelText(key, value)),
);

/**
 * The pods of a namespace that are selected. A selector mostly names a label that few pods have: to look at all of them for each of those who select takes the square of their number, each time.
 */
export function selectedPods(cache: Pick<CacheReads<Pod>, "by" | "list">, namespace: string, labelSelector: Selector): readonly Pod[] {
  const query = { namespace, labelSelector };
  const [named] = labelSelector.requirements.flatMap(({ key, operator, values: [value, ...others] }) =>
    isEquality(operator) && value !== undefined && others.length === 0 ? [labelText(key, value)] : [],
  );
  return [...(named === undefined ? cache.list(Pod, query) : cache.by(Pod, podsByLabel, named, query))];
}

function isEquality(operator: LabelRequirement["operator"]): boolean {
  return operator === "=" || operator === "==" || operator === "in";
}

function labelText(key: string, value: string): string {
  return `${key}=${value}`;
}
