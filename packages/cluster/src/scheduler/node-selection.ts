import { Selector } from "@kaji/core";
import type { LabelOperator, LabelRequirement } from "@kaji/core";
import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod } from "@kaji/types/core/v1";

/** Whether a node is one that is meant. */
export type NodePredicate = (node: Node) => boolean;

/** A wish of a pod for some nodes, and how much it weighs. */
export interface NodePreference {
  readonly weight: number;
  readonly matches: NodePredicate;
}

/** On which nodes a pod may run by its `nodeSelector` and node affinity; undefined if it does not care. */
export function requiredNodes({ spec }: Pod): NodePredicate | undefined {
  const labels = spec?.nodeSelector;
  const affinity = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (labels === undefined && affinity === undefined) return undefined;
  const selector = Selector.of(Object.entries(labels ?? {}).map(([key, value]) => ({ key, operator: "=", values: [value] })));
  const isSelected = affinity === undefined ? () => true : compileNodeSelector(affinity);
  return (node) => selector.matches(node.metadata.labels) && isSelected(node);
}

/** On which nodes a pod would rather run. */
export function preferredNodes({ spec }: Pod): readonly NodePreference[] {
  const terms = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map(({ weight, preference }) => ({ weight, matches: compileTerm(preference) }));
}

/** One of the terms must hold; without any, no node is meant. */
export function compileNodeSelector({ nodeSelectorTerms }: NodeSelector): NodePredicate {
  const terms = nodeSelectorTerms.map(compileTerm);
  return (node) => terms.some((matches) => matches(node));
}

function compileTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodePredicate {
  if (matchExpressions.length + matchFields.length === 0) return () => false;
  const labels = Selector.of(matchExpressions.map(requirement));
  const fields = Selector.of(matchFields.map(requirement));
  return ({ metadata }) => labels.matches(metadata.labels) && fields.matches({ "metadata.name": metadata.name });
}

const operators: Readonly<Record<NodeSelectorRequirement["operator"], LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
  Gt: "gt",
  Lt: "lt",
};

function requirement({ key, operator, values = [] }: NodeSelectorRequirement): LabelRequirement {
  return { key, operator: operators[operator], values };
}
