import type { Access } from "@kaji/apiserver";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { objectsField, stringsField } from "../kinds/json-fields.ts";

/** What a role allows: verbs on resources, or on paths that are none. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: all names. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: DynamicObject | JsonObject): readonly PolicyRule[] {
  return objectsField(role, "rules").map((rule) => ({
    verbs: stringsField(rule, "verbs"),
    apiGroups: stringsField(rule, "apiGroups"),
    resources: stringsField(rule, "resources"),
    resourceNames: stringsField(rule, "resourceNames"),
    nonResourceURLs: stringsField(rule, "nonResourceURLs"),
  }));
}

/** The rule as it is in an object: what is empty is left out. */
export function ruleFields({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): JsonObject {
  return {
    verbs,
    ...(apiGroups.length === 0 ? {} : { apiGroups }),
    ...(resources.length === 0 ? {} : { resources }),
    ...(resourceNames.length === 0 ? {} : { resourceNames }),
    ...(nonResourceURLs.length === 0 ? {} : { nonResourceURLs }),
  };
}

/** Whether a rule allows just this. */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!hasOrAll(rule.verbs, access.verb)) return false;
  if (access.type === "Path") return rule.nonResourceURLs.some((url) => url === "*" || pathCovers(url, access.path));
  return (
    hasOrAll(rule.apiGroups, access.group) &&
    resourceMatches(rule.resources, access.resource, access.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(access.name ?? ""))
  );
}

/** Whether a path of a rule, perhaps ending in `*`, covers another. */
export function pathCovers(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, ""));
}

/** Whether a list has the value, or `*`. */
export function hasOrAll(values: readonly string[], value: string): boolean {
  return values.includes(value) || values.includes("*");
}

function resourceMatches(allowed: readonly string[], resource: string, subresource: string | undefined): boolean {
  if (subresource === undefined) return hasOrAll(allowed, resource);
  return hasOrAll(allowed, `${resource}/${subresource}`) || allowed.includes(`*/${subresource}`);
}
