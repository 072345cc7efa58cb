import type { Access } from "@kaji/apiserver";
import { ruleAllows } from "./policy-rule.ts";
import type { PolicyRule } from "./policy-rule.ts";
import type { Binding, RoleReference } from "./role-binding.ts";

/** A role that somebody has, by a binding. Without rules when there is no such role. */
export interface BoundRole {
  readonly binding: Binding;
  readonly rules: readonly PolicyRule[] | undefined;
}

interface BoundRule {
  readonly binding: Binding;
  readonly rule: PolicyRule;
}

/** All that one subject was given in one place, found by what it is for: how much else was given costs nothing. */
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
