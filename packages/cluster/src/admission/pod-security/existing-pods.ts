import { controllerOf } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { compareGoStrings, quote } from "@kaji/core/go";
import { checkedPod } from "./checked-pod.ts";
import { standardName } from "./policy.ts";
import type { Standard } from "./policy.ts";
import { violations } from "./violations.ts";

/** More pods of a namespace are not looked at. */
const mostPods = 3000;

/** Says which pods of a namespace do not meet a standard that is from now on enforced; they stay. */
export function existingPodWarnings(namespace: string, pods: readonly DynamicObject[], enforced: Standard): readonly string[] {
  const checked = mostTellingFirst(pods).slice(0, mostPods);
  const names = new Map<string, string[]>();
  for (const pod of checked) {
    const reasons = violations(checkedPod(pod), enforced).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const text = reasons.join(", ");
    const alike = names.get(text);
    if (alike === undefined) names.set(text, [pod.metadata.name]);
    else alike.push(pod.metadata.name);
  }
  const found = [...names].map(([text, alike]) => `${podsText(alike)}: ${text}`).toSorted(compareGoStrings);
  const standard = quote(standardName(enforced));
  return [
    ...(checked.length < pods.length
      ? [`new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`]
      : []),
    ...(found.length === 0 ? [] : [`existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${standard}`]),
    ...found,
  ];
}

/** Pods of the same controller are alike: one of each comes before all others. */
function mostTellingFirst(pods: readonly DynamicObject[]): readonly DynamicObject[] {
  const seen = new Set<string>();
  const others: DynamicObject[] = [];
  const first = pods.filter((pod) => {
    const uid = controllerOf(pod)?.uid;
    if (uid === undefined) return true;
    if (seen.has(uid)) others.push(pod);
    return !seen.has(uid) && seen.add(uid);
  });
  return [...first, ...others];
}

/** `a (and 2 other pods)` */
function podsText(names: readonly string[]): string {
  const [first = "", ...others] = names.toSorted(compareGoStrings);
  if (others.length === 0) return first;
  return `${first} (and ${others.length} other ${others.length === 1 ? "pod" : "pods"})`;
}
