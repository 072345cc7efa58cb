import { compareGoStrings, quote } from "@kaji/core/go";
import { hasOrAll, pathCovers } from "./policy-rule.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** What the owned rules do not cover of the wanted ones: rules of one verb each, for one resource, name or path. */
export function missingRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(singleRules).filter((single) => !owned.some((rule) => covers(rule, single)));
}

/** Rules as refusals show them: one line each, the verbs of a resource together, in the order of their texts. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const lines = new Set(joinVerbs(rules).map(describe));
  return [...lines].toSorted(compareGoStrings).join("\n");
}

const none: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

function singleRules(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const ofResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({ ...none, apiGroups: [group], resources: [resource], verbs: [verb], resourceNames })),
      ),
    ),
  );
  const ofPaths = rule.nonResourceURLs.flatMap((url) => rule.verbs.map((verb) => ({ ...none, nonResourceURLs: [url], verbs: [verb] })));
  return [...ofResources, ...ofPaths];
}

function covers(rule: PolicyRule, single: PolicyRule): boolean {
  const hasName =
    rule.resourceNames.length === 0 || (single.resourceNames.length > 0 && containsAll(rule.resourceNames, single.resourceNames));
  return (
    single.verbs.every((verb) => hasOrAll(rule.verbs, verb)) &&
    single.apiGroups.every((group) => hasOrAll(rule.apiGroups, group)) &&
    single.resources.every((resource) => coversResource(rule.resources, resource)) &&
    single.nonResourceURLs.every((url) => rule.nonResourceURLs.some((pattern) => pathCovers(pattern, url))) &&
    hasName
  );
}

function coversResource(resources: readonly string[], wanted: string): boolean {
  if (hasOrAll(resources, wanted)) return true;
  const slash = wanted.indexOf("/");
  return slash >= 0 && resources.includes(`*${wanted.slice(slash)}`);
}

function containsAll(values: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((value) => values.includes(value));
}

/** Puts the verbs together of single rules that differ in nothing else; those of paths stay as they are. */
function joinVerbs(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const ofPaths = rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0);
  const ofResources = rules.filter(({ nonResourceURLs }) => nonResourceURLs.length === 0);
  const same = Map.groupBy(ofResources, ({ apiGroups, resources, resourceNames }) => JSON.stringify([apiGroups, resources, resourceNames]));
  const joined = [...same.values()].map((group) => ({ ...(group[0] ?? none), verbs: group.flatMap(({ verbs }) => verbs) }));
  return [...ofPaths, ...joined];
}

function describe({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = {
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  };
  const shown = Object.entries(parts).flatMap(([name, values]) => (values.length === 0 ? [] : [`${name}:${quoted(values)}`]));
  return `{${shown.join(", ")}}`;
}

/** A list of texts as Go prints it. */
export function quoted(values: readonly string[]): string {
  return `[${values.map(quote).join(" ")}]`;
}
