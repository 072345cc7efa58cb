import type { PolicyRule } from "@kaji/types/rbac/v1";

const reasons = new WeakMap<object, readonly string[]>();

/** A rule of which is known why it is there. A cluster has no place for that, but whoever reads the manifests does. */
export function reasonedRule(rule: PolicyRule, why: readonly string[]): PolicyRule {
  reasons.set(rule, why);
  return rule;
}

/** Why a rule is there; nothing, if it is not known. */
export function reasonsOf(rule: unknown): readonly string[] {
  return typeof rule === "object" && rule !== null ? (reasons.get(rule) ?? []) : [];
}
