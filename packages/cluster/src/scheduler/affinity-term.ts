import { compileSelector } from "@kaji/core";
import type { Labels, Selector } from "@kaji/core";
import type { Pod, PodAffinityTerm, WeightedPodAffinityTerm } from "@kaji/types/core/v1";

/** Pods that another pod wants near it or away from it, and what near means: nodes that have the same value of a label. */
export interface AffinityTerm {
  /** The same for terms that mean the same. */
  readonly id: string;
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly namespaces: readonly string[];
  /** Which other namespaces are meant. */
  readonly namespaceSelector: Selector | undefined;
  /** How much a preference weighs; 1 for a requirement. */
  readonly weight: number;
}

/** All that a pod says about being near others. */
export interface PodAffinities {
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly preferred: readonly AffinityTerm[];
  readonly preferredAnti: readonly AffinityTerm[];
}

const none: PodAffinities = { required: [], requiredAnti: [], preferred: [], preferredAnti: [] };

/** The labels of a namespace. */
export type NamespaceLabels = (namespace: string) => Labels;

export function podAffinities({ metadata, spec }: Pod): PodAffinities {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  if (podAffinity === undefined && podAntiAffinity === undefined) return none;
  const required = (term: PodAffinityTerm): AffinityTerm => compileTerm(term, metadata.namespace ?? "", 1);
  const preferred = ({ weight, podAffinityTerm }: WeightedPodAffinityTerm): AffinityTerm =>
    compileTerm(podAffinityTerm, metadata.namespace ?? "", weight);
  return {
    required: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(required),
    requiredAnti: (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(required),
    preferred: (podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(preferred),
    preferredAnti: (podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(preferred),
  };
}

/** Whether a pod says anything about being near others. */
export function hasAffinities({ required, requiredAnti, preferred, preferredAnti }: PodAffinities): boolean {
  return required.length + requiredAnti.length + preferred.length + preferredAnti.length > 0;
}

/** Of a pod, what terms look at. */
interface LabelledPod {
  readonly namespace: string;
  readonly labels: Labels;
}

/** Whether a pod is one of those that a term means. */
export function isMeant(pod: LabelledPod, { namespaces, namespaceSelector, selector }: AffinityTerm, labelsOf: NamespaceLabels): boolean {
  const isInNamespace = namespaces.includes(pod.namespace) || namespaceSelector?.matches(labelsOf(pod.namespace));
  return isInNamespace === true && selector.matches(pod.labels);
}

function compileTerm(term: PodAffinityTerm, ownNamespace: string, weight: number): AffinityTerm {
  const { topologyKey, labelSelector, namespaces = [], namespaceSelector } = term;
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined;
  return {
    id: `${ownNamespace} ${weight} ${JSON.stringify(term)}`,
    topologyKey,
    selector: compileSelector(labelSelector),
    namespaces: isOwn ? [ownNamespace] : namespaces,
    namespaceSelector: namespaceSelector === undefined ? undefined : compileSelector(namespaceSelector),
    weight,
  };
}
