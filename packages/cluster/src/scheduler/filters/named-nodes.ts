import type { NodeSelectorTerm } from "@kaji/types/core/v1";
import { indifferent, refusal } from "../filter.ts";
import type { Filter } from "../filter.ts";
import type { PodInfo } from "../pod-info.ts";

const notNamed = refusal("node(s) didn't satisfy plugin(s) [NodeAffinity]");

/** For a pod whose affinity names its nodes, as a DaemonSet's does, only those nodes are looked at. */
export const namedNodes: Filter = {
  wokenBy: ["NodeAdded"],
  prepare: (pod) => {
    const names = nodeNames(pod);
    if (names === undefined) return indifferent;
    if (names.size === 0) return { type: "Nowhere", reason: "pod affinity terms conflict" };
    return { type: "Check", refuse: ({ name }) => (names.has(name) ? undefined : notNamed) };
  },
};

/** Undefined if some term means nodes of any name. */
function nodeNames({ pod }: PodInfo): ReadonlySet<string> | undefined {
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const named = terms.map(namesOf);
  if (named.length === 0 || named.includes(undefined)) return undefined;
  return new Set(named.flatMap((names) => names ?? []));
}

function namesOf({ matchFields = [] }: NodeSelectorTerm): readonly string[] | undefined {
  const [first, ...others] = matchFields
    .filter(({ key, operator }) => key === "metadata.name" && operator === "In")
    .map(({ values = [] }) => values);
  return first?.filter((name) => others.every((names) => names.includes(name)));
}
