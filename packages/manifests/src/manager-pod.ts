import type { PodSpec, VolumeMount } from "@kaji/types/core/v1";

/** What the operator's Pods have besides what runs in them: any field of a Pod's spec, and what of its metadata and of its container a cluster may ask for. */
export interface PodOptions extends Omit<
  PodSpec,
  "containers" | "ephemeralContainers" | "initContainers" | "serviceAccount" | "serviceAccountName"
> {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Where the container finds the volumes. */
  readonly volumeMounts?: readonly VolumeMount[];
}

/** What the manifests alone decide of a Pod: who it is and what runs in it. */
export const ownPodFields: readonly Exclude<keyof PodSpec, keyof PodOptions>[] = [
  "containers",
  "ephemeralContainers",
  "initContainers",
  "serviceAccount",
  "serviceAccountName",
];

/** The same with what every Pod has. */
export type PodPlan = PodOptions & Required<Pick<PodOptions, "annotations" | "labels" | "volumeMounts" | "volumes">>;

/** A Pod with nothing to it. */
export const barePod: PodPlan = { labels: {}, annotations: {}, volumes: [], volumeMounts: [] };

/** What was asked for, over what is so by default: without privileges, and with time to end what is under way. Maps are merged, anything else is replaced. */
export function podPlan({ annotations, securityContext, ...given }: PodOptions = {}): PodPlan {
  return {
    ...barePod,
    terminationGracePeriodSeconds: 40,
    ...given,
    annotations: { "kubectl.kubernetes.io/default-container": "manager", ...annotations },
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" }, ...securityContext },
  };
}

/** Throws for a label or volume that the manifests set themselves. */
export function requireFree(pod: PodPlan, own: Pick<PodPlan, "labels" | "volumes">): void {
  const label = Object.keys(pod.labels).find((name) => Object.hasOwn(own.labels, name));
  if (label !== undefined) throw new TypeError(`pod.labels: ${label} is set by the manifests themselves`);
  const volume = pod.volumes.find(({ name }) => own.volumes.some((each) => each.name === name));
  if (volume !== undefined) throw new TypeError(`pod.volumes: ${volume.name} is there already, with the certificates of webhooks`);
}
