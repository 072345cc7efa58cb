import type { GroupVersionKind } from "@kaji/core";

/** Which requests match, as webhook configurations and admission policies say it. */
export interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  /** `pods`, `pods/status`, `pods/*`, `*\/status`, `*` or `*\/*`. */
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Names of objects; none stands for all. Only policies have it. */
  readonly resourceNames?: readonly string[];
}

/** A write as rules see it. */
export interface RuleSubject {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty outside namespaces; for a namespace, its own name. */
  readonly namespace: string;
  /** Empty when it is not known yet. */
  readonly name: string;
}

/** Whether a rule matches a write. */
export function ruleMatches(
  { operations = [], apiGroups = [], apiVersions = [], resources = [], scope = "*", resourceNames = [] }: Rule,
  subject: RuleSubject,
): boolean {
  return (
    scopeMatches(scope, subject) &&
    anyOf(operations, subject.operation) &&
    anyOf(apiGroups, subject.group) &&
    anyOf(apiVersions, subject.version) &&
    resources.some((pattern) => resourceMatches(pattern, subject)) &&
    (resourceNames.length === 0 || resourceNames.includes(subject.name))
  );
}

function anyOf(patterns: readonly string[], value: string): boolean {
  return patterns.some((pattern) => pattern === "*" || pattern === value);
}

/** A namespace is not in a namespace, though a request for it has one. */
function scopeMatches(scope: string, { group, version, resource, namespace }: RuleSubject): boolean {
  if (scope === "*") return true;
  const isCluster = namespace === "" || (group === "" && version === "v1" && resource === "namespaces");
  return isCluster ? scope === "Cluster" : scope === "Namespaced";
}

function resourceMatches(pattern: string, { resource, subresource }: RuleSubject): boolean {
  const slash = pattern.indexOf("/");
  const [wantedResource, wantedSubresource] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  const isResource = wantedResource === "*" || wantedResource === resource;
  return isResource && (wantedSubresource === "*" || wantedSubresource === subresource);
}

/** Kinds that decide on admission are never subject to it: a configuration could not be repaired otherwise. */
export function isExempt({ group, kind }: Pick<GroupVersionKind, "group" | "kind">): boolean {
  return group === "admissionregistration.k8s.io" && exempt.has(kind);
}

const exempt: ReadonlySet<string> = new Set([
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
]);
