import type { Draft } from "@kaji/core";
import { DaemonSet } from "@kaji/types/apps/v1";
import type { Node, Pod, PodSpec, Toleration } from "@kaji/types/core/v1";
import { requiredNodes } from "../../scheduler/node-selection.ts";
import { isTolerated, keepsAway } from "../../scheduler/toleration.ts";
import { revisionLabel } from "../history/controller-history.ts";
import { podFromTemplate } from "../pods/pod-from-template.ts";

const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";

/** Whether a pod of a DaemonSet is started on a node, and whether one that is there may stay. */
export interface Placement {
  readonly starts: boolean;
  readonly stays: boolean;
}

/** Whether a node is for a DaemonSet: what its pods select decides, and what they do not tolerate keeps new ones away. */
export function placementOn(node: Node, daemonSet: DaemonSet): Placement {
  const spec = specOf(daemonSet);
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "" }, spec };
  const isNamed = spec.nodeName === undefined || spec.nodeName === "" || spec.nodeName === node.metadata.name;
  if (!isNamed || requiredNodes(pod)?.(node) === false) return { starts: false, stays: false };
  const tolerations = tolerationsOf(spec);
  const untolerated = (node.spec?.taints ?? []).filter((taint) => keepsAway(taint) && !isTolerated(taint, tolerations));
  return { starts: untolerated.length === 0, stays: untolerated.every(({ effect }) => effect !== "NoExecute") };
}

/** The pod of a DaemonSet for a node; its affinity allows no other node. */
export function daemonPod(daemonSet: DaemonSet, nodeName: string, hash: string): Draft<Pod> {
  const template = daemonSet.spec?.template ?? {};
  const spec = specOf(daemonSet);
  const generation = daemonSet.metadata.annotations?.[generationAnnotation];
  const labels = {
    ...template.metadata?.labels,
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
    [revisionLabel]: hash,
  };
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In" as const, values: [nodeName] }] }],
    },
  };
  return podFromTemplate(DaemonSet, daemonSet, {
    metadata: { ...template.metadata, labels },
    spec: { ...spec, affinity: { ...spec.affinity, nodeAffinity }, tolerations: tolerationsOf(spec) },
  });
}

/** Whether a pod is of the present template: by its hash, or by the generation that older versions of Kubernetes used. */
export function isUpdated({ metadata }: Pod, daemonSet: DaemonSet, hash: string): boolean {
  const { labels = {} } = metadata;
  const generation = daemonSet.metadata.annotations?.[generationAnnotation];
  return labels[revisionLabel] === hash || (generation !== undefined && labels[generationLabel] === generation);
}

/** The node that a pod is on, or is meant for. */
export function targetNode({ spec }: Pod): string {
  if (spec?.nodeName !== undefined && spec.nodeName !== "") return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const fields = terms.flatMap(({ matchFields = [] }) => matchFields);
  return fields.find(({ key, operator }) => key === "metadata.name" && operator === "In")?.values?.[0] ?? "";
}

/** A daemon pod stays on a node that has a problem, since it may be needed to repair it. */
const daemonTolerations: readonly Toleration[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];

const networkToleration: Toleration = { key: "node.kubernetes.io/network-unavailable", operator: "Exists", effect: "NoSchedule" };

function tolerationsOf({ tolerations = [], hostNetwork = false }: PodSpec): readonly Toleration[] {
  const added = hostNetwork ? [...daemonTolerations, networkToleration] : daemonTolerations;
  const isSame = (left: Toleration, right: Toleration): boolean =>
    left.key === right.key && left.effect === right.effect && left.operator === right.operator;
  return [...tolerations, ...added.filter((each) => !tolerations.some((other) => isSame(each, other)))];
}

function specOf({ spec }: DaemonSet): PodSpec {
  return spec?.template.spec ?? { containers: [] };
}
