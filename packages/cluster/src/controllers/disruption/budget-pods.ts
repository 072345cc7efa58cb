import { compileSelector, objectKey } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import type { CacheReads, MappingReads } from "@kaji/runtime";
import type { Pod } from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { selectedPods } from "../pods/selected-pods.ts";

/** The pods that a budget is about. */
export function podsOf({ metadata, spec }: PodDisruptionBudget, cache: Pick<CacheReads<Pod>, "by" | "list">): readonly Pod[] {
  return spec?.selector === undefined ? [] : selectedPods(cache, metadata.namespace ?? "", compileSelector(spec.selector));
}

/** The budgets that are about a pod. */
export function* budgetsOf(pod: Pod, reads: MappingReads): Generator<ObjectKey> {
  const { namespace = "", labels } = pod.metadata;
  for (const { metadata, spec } of reads.list(PodDisruptionBudget, { namespace })) {
    if (spec?.selector !== undefined && compileSelector(spec.selector).matches(labels)) yield objectKey(metadata);
  }
}
