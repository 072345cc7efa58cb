import type { LabelSelector } from "@kaji/core";

/** A selector as messages of kube-controller-manager show it. */
export function labelSelectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return "nil";
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => `{${key} ${operator} [${values.join(" ")}]},`);
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
