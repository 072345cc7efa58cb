import { pluralOf } from "@kaji/core";

/** A number of things in words: `1 Pod`, `2 Pods`, `0 NetworkPolicies`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : pluralOf(noun)}`;
}
