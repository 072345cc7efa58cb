import type { Access } from "@kaji/apiserver";
import { ruleAllows } from "./policy-rule.ts";
import type { PolicyRule } from "./policy-rule.ts";
import type { Binding, RoleReference } from "./role-binding.ts";

/** A binding with the rules of its role; undefined rules when the role does not exist. */
export interface BoundRole {
  readonly binding: Binding;
  readonly rules: readonly PolicyRule[] | undefined;
}

interface BoundRule {
  readonly binding: Binding;
  readonly rule: PolicyRule;
}

/** All that one subject was given in one namespace or cluster-wide, indexed by resource: other grants do not slow a check down. */
export class Grants {
  readonly #ofResources = new Map<string, BoundRule[]>();
  readonly #ofPaths: BoundRule[] = [];
  /** Roles that do not exist. */
  readonly missing: readonly RoleReference[];

  constructor(roles: readonly BoundRole[]) {
    this.missing = roles.filter(({ rules }) => rules === undefined).map(({ binding }) => binding.role);
    for (const { binding, rules = [] } of roles) {
      for (const rule of rules) this.#add({ binding, rule });
    }
  }

  /** The binding by which something is allowed, if it is. */
  find(access: Access): Binding | undefined {
    if (access.type === "Path") return firstAllowing(this.#ofPaths, access);
    const { group, resource, subresource } = access;
    const names = subresource === undefined ? [resource, "*"] : [`${resource}/${subresource}`, `*/${subresource}`, "*"];
    for (const name of names) {
      const found =
        firstAllowing(this.#ofResources.get(keyOf(group, name)), access) ?? firstAllowing(this.#ofResources.get(keyOf("*", name)), access);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #add(bound: BoundRule): void {
    const { apiGroups, resources, nonResourceURLs } = bound.rule;
    if (nonResourceURLs.length > 0) this.#ofPaths.push(bound);
    for (const group of apiGroups) {
      for (const resource of resources) {
        const key = keyOf(group, resource);
        const present = this.#ofResources.get(key);
        if (present === undefined) this.#ofResources.set(key, [bound]);
        else present.push(bound);
      }
    }
  }
}

function keyOf(group: string, resource: string): string {
  return `${group} ${resource}`;
}

function firstAllowing(rules: readonly BoundRule[] | undefined, access: Access): Binding | undefined {
  return rules?.find(({ rule }) => ruleAllows(rule, access))?.binding;
}
