import { notFound, objectOf, parseJsonBytes } from "@kaji/core";
import type { DynamicObject, Labels, Selector } from "@kaji/core";
import type { KindRegistry } from "../kind-registry.ts";
import type { Storage } from "../storage/storage.ts";
import { equivalentTargets } from "./review-target.ts";
import type { ReviewSubject, ReviewTarget } from "./review-target.ts";
import { ruleMatches } from "./rule.ts";
import type { Rule } from "./rule.ts";

/** What matching a write takes. */
export interface MatchSources {
  readonly storage: Storage;
  /** Asked when it matters: kinds come and go. */
  readonly kinds: () => KindRegistry;
}

/** Whether a selector matches the labels of what is written, or of what it replaces. */
export function isSelected(objects: Selector, object: DynamicObject | undefined, oldObject: DynamicObject | undefined): boolean {
  if (objects.requirements.length === 0) return true;
  return [object, oldObject].some((each) => each !== undefined && objects.matches(each.metadata?.labels));
}

/** The version in which rules match a write: that of the request if a rule names it, else another in which the same objects are served. */
export function targetByRules(
  rules: readonly Rule[],
  matchPolicy: "Equivalent" | "Exact",
  subject: ReviewSubject,
  kinds: KindRegistry,
): ReviewTarget | undefined {
  if (rules.some((rule) => ruleMatches(rule, subject))) return subject.requested;
  if (matchPolicy !== "Equivalent" || rules.length === 0) return undefined;
  const others = equivalentTargets(subject, kinds);
  for (const rule of rules) {
    const found = others.find(({ resource }) => ruleMatches(rule, { ...subject, ...resource }));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a selector matches the namespace of a write. What is in no namespace is matched by any selector. */
export function isInNamespace(namespaces: Selector, subject: ReviewSubject, object: DynamicObject | undefined, storage: Storage): boolean {
  const { namespace, resource } = subject;
  if ((namespace === "" && resource !== "namespaces") || namespaces.requirements.length === 0) return true;
  return namespaces.matches(namespaceLabels(subject, object, storage));
}

/** A namespace as it is now; 404 when there is none. */
export function storedNamespace(name: string, storage: Storage): DynamicObject {
  const entry = storage.get(`/registry/namespaces/${name}`);
  if (entry === undefined) throw notFound({ group: "", plural: "namespaces" }, name);
  return objectOf(parseJsonBytes(entry.bytes));
}

/** A namespace that is being written has the labels it will have; one that is being deleted, those that it has. */
function namespaceLabels(
  { namespace, resource, subresource, operation }: ReviewSubject,
  object: DynamicObject | undefined,
  storage: Storage,
): Labels {
  if (resource === "namespaces" && subresource === "" && operation !== "DELETE") return object?.metadata.labels ?? {};
  return storedNamespace(namespace, storage).metadata.labels ?? {};
}
