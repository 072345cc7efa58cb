import type { JsonObject } from "@kaji/core";
import { ruleFields } from "../policy-rule.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** A role as it should be, and who should have it. */
export interface RoleDraft {
  /** Empty for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
  /** Into which aggregated roles it goes, such as `aggregate-to-view`. */
  readonly labels: readonly string[];
  /** From which labels it gathers its rules; empty when they are its own. */
  readonly gathers: readonly string[];
  readonly rules: readonly JsonObject[];
  readonly binding: BindingDraft | undefined;
}

/** Who should have a role. */
export interface BindingDraft {
  readonly name: string;
  readonly subjects: readonly JsonObject[];
}

/** Short words for the verbs that go together most often. */
const verbSets: Readonly<Record<string, readonly string[]>> = {
  read: ["get", "list", "watch"],
  write: ["create", "delete", "deletecollection", "patch", "update"],
  readwrite: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
};

/**
 * Reads roles from text. A line with a name begins a role, which the indented lines after it are the rules of:
 *
 *     NAMESPACE/NAME (LABEL) = GATHERED LABEL -> user NAME, group NAME, account NAMESPACE/NAME
 *       GROUP,GROUP: RESOURCE RESOURCE [NAME NAME]: VERB VERB
 *       /PATH /PATH: VERB VERB
 *
 * All of the first line but the name may be absent; `as OTHER:` after the arrow gives the binding a name of its own. The group `core` is the
 * one without a name.
 */
export function parsePolicy(text: string): readonly RoleDraft[] {
  const blocks = text.trim().split(/\n(?=\S)/);
  return blocks.map((block) => {
    const [heading = "", ...lines] = block.split("\n");
    return { ...parseHeading(heading), rules: lines.map((line) => ruleFields(parseRule(line.trim()))) };
  });
}

const headingPattern = /^(?:([^/ ]+)\/)?(\S+)(?: \(([^)]+)\))?(?: = (\S+))?(?: -> (?:as (\S+): )?(.+))?$/;

function parseHeading(heading: string): Omit<RoleDraft, "rules"> {
  const [, namespace = "", name = "", labels = "", gathers = "", bindingName = name, subjects] = headingPattern.exec(heading) ?? [];
  return {
    namespace,
    name,
    labels: listed(labels),
    gathers: listed(gathers),
    binding:
      subjects === undefined ? undefined : { name: bindingName, subjects: subjects === "nobody" ? [] : listed(subjects).map(parseSubject) },
  };
}

function parseSubject(subject: string): JsonObject {
  const [kind = "", name = ""] = subject.split(" ");
  const apiGroup = "rbac.authorization.k8s.io";
  if (kind !== "account") return { kind: kind === "user" ? "User" : "Group", apiGroup, name };
  const [namespace = "", account = ""] = name.split("/");
  return { kind: "ServiceAccount", name: account, namespace };
}

function parseRule(line: string): PolicyRule {
  const parts = line.split(": ");
  const verbs = (parts.at(-1) ?? "").split(" ").flatMap((verb) => verbSets[verb] ?? [verb]);
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  if (parts.length === 2) return { ...none, verbs, nonResourceURLs: (parts[0] ?? "").split(" ") };
  const [groups = "", target = ""] = parts;
  const [, resources = "", names] = /^(.+?)(?: \[(.+)\])?$/.exec(target) ?? [];
  const apiGroups = groups.split(",").map((group) => (group === "core" ? "" : group));
  return { ...none, verbs, apiGroups, resources: resources.split(" "), resourceNames: names?.split(" ") ?? [] };
}

function listed(text: string): readonly string[] {
  return text === "" ? [] : text.split(", ");
}
