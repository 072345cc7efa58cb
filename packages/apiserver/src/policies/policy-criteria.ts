import { compileSelector } from "@kaji/core";
import type { Selector } from "@kaji/core";
import { isInNamespace, isSelected, targetByRules } from "../webhooks/match-criteria.ts";
import type { MatchSources } from "../webhooks/match-criteria.ts";
import type { ReviewSubject, ReviewTarget } from "../webhooks/review-target.ts";
import type { Rule } from "../webhooks/rule.ts";
import type { MatchResources } from "./validating-policy.ts";

/** Which writes a policy or a binding matches, with its selectors compiled. */
export interface PolicyCriteria {
  readonly namespaces: Selector;
  readonly objects: Selector;
  readonly rules: readonly Rule[];
  readonly excluded: readonly Rule[];
  readonly matchPolicy: "Equivalent" | "Exact";
}

/** Reads what is matched. Without rules, every write is. */
export function policyCriteria(resources: MatchResources = {}): PolicyCriteria {
  const { namespaceSelector = {}, objectSelector = {}, resourceRules = [], excludeResourceRules = [] } = resources;
  return {
    namespaces: compileSelector(namespaceSelector),
    objects: compileSelector(objectSelector),
    rules: resourceRules,
    excluded: excludeResourceRules,
    matchPolicy: resources.matchPolicy ?? "Equivalent",
  };
}

/** The version in which a write matches; undefined when it does not. */
export function matchCriteria(criteria: PolicyCriteria, subject: ReviewSubject, sources: MatchSources): ReviewTarget | undefined {
  const { namespaces, objects, rules, excluded, matchPolicy } = criteria;
  const { object, oldObject } = subject.request;
  if (!isSelected(objects, object, oldObject)) return undefined;
  const kinds = sources.kinds();
  if (targetByRules(excluded, matchPolicy, subject, kinds) !== undefined) return undefined;
  const target = rules.length === 0 ? subject.requested : targetByRules(rules, matchPolicy, subject, kinds);
  return target !== undefined && isInNamespace(namespaces, subject, object, sources.storage) ? target : undefined;
}

/** Whether policies never see a write, since a cluster could not be repaired if they refused it. */
export function isSpared({ group, resource }: Pick<ReviewSubject, "group" | "resource">): boolean {
  return spared.has(`${group}/${resource}`);
}

const spared: ReadonlySet<string> = new Set([
  "authentication.k8s.io/selfsubjectreviews",
  "authentication.k8s.io/tokenreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authorization.k8s.io/subjectaccessreviews",
]);
