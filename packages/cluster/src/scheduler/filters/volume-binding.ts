import { controllerOf } from "@kaji/core";
import type { PersistentVolumeClaim, Volume } from "@kaji/types/core/v1";
import { placesOf, servingVolumes } from "../../controllers/volumes/matching-volume.ts";
import type { ClusterState } from "../cluster-state.ts";
import { indifferent, refusal } from "../filter.ts";
import type { Filter, NodeCheck, Prepared, Refusal } from "../filter.ts";
import type { NodePredicate } from "../node-selection.ts";
import type { PodInfo } from "../pod-info.ts";

const elsewhere = refusal("node(s) didn't match PersistentVolume's node affinity");
const missing = refusal("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
const noneLeft = refusal("node(s) didn't find available persistent volumes to bind");

/** A pod goes where its volumes are, or can be made. */
export const volumeBinding: Filter = {
  wokenBy: ["NodeAdded", "NodeChanged", "VolumeChanged"],
  prepare: (pod, state) => {
    const names = claimNames(pod);
    if (names.length === 0) return indifferent;
    const claims: PersistentVolumeClaim[] = [];
    for (const { name, isEphemeral } of names) {
      const claim = state.reads.claim(pod.namespace, name);
      const why = whyUnusable(claim, name, isEphemeral) ?? (isEphemeral ? whyAnothers(claim, pod) : undefined);
      if (why !== undefined) return { type: "Nowhere", reason: why };
      if (claim !== undefined) claims.push(claim);
    }
    return checkClaims(claims, state);
  },
};

/** The claims of a pod whose volumes are only made when it is known where the pod runs. */
export function delayedClaims(pod: PodInfo, { reads }: Pick<ClusterState, "reads">): readonly PersistentVolumeClaim[] {
  return claimNames(pod)
    .map(({ name }) => reads.claim(pod.namespace, name))
    .filter((claim) => claim !== undefined && !isBound(claim) && bindingMode(claim, reads) === "WaitForFirstConsumer")
    .filter((claim) => claim !== undefined);
}

/** Whether a claim has its volume. */
export function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return (spec?.volumeName ?? "") !== "" && metadata.annotations?.["pv.kubernetes.io/bind-completed"] !== undefined;
}

interface ClaimName {
  readonly name: string;
  /** Whether it is made for the pod, and named after it. */
  readonly isEphemeral: boolean;
}

function claimNames({ pod }: PodInfo): readonly ClaimName[] {
  return (pod.spec?.volumes ?? []).flatMap((volume: Volume): readonly ClaimName[] => {
    if (volume.persistentVolumeClaim !== undefined) return [{ name: volume.persistentVolumeClaim.claimName, isEphemeral: false }];
    return volume.ephemeral === undefined ? [] : [{ name: `${pod.metadata.name}-${volume.name}`, isEphemeral: true }];
  });
}

function whyUnusable(claim: PersistentVolumeClaim | undefined, name: string, isEphemeral: boolean): string | undefined {
  const quoted = JSON.stringify(name);
  if (claim === undefined) {
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
      : `persistentvolumeclaim ${quoted} not found`;
  }
  if (claim.status?.phase === "Lost") {
    return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${JSON.stringify(claim.spec?.volumeName ?? "")}`;
  }
  return claim.metadata.deletionTimestamp === undefined ? undefined : `persistentvolumeclaim ${quoted} is being deleted`;
}

/** The pod of that name before may have left its claim, which goes with that pod. */
function whyAnothers(claim: PersistentVolumeClaim | undefined, { namespace, uid, pod: { metadata } }: PodInfo): string | undefined {
  if (claim === undefined || controllerOf(claim)?.uid === uid) return undefined;
  return `PVC ${namespace}/${claim.metadata.name} was not created for pod ${namespace}/${metadata.name} (pod is not owner)`;
}

function checkClaims(claims: readonly PersistentVolumeClaim[], { reads }: ClusterState): Prepared {
  const unbound = claims.filter((claim) => !isBound(claim));
  if (unbound.some((claim) => bindingMode(claim, reads) !== "WaitForFirstConsumer")) {
    return { type: "Nowhere", reason: "pod has unbound immediate PersistentVolumeClaims" };
  }
  const bound = claims.filter(isBound).map((claim) => reads.volume(claim.spec?.volumeName ?? ""));
  const places = bound.filter((volume) => volume !== undefined).map(placesOf);
  const isMissing = bound.includes(undefined);
  const delayed = unbound.map((claim) => delayedCheck(claim, reads));
  const refuse: NodeCheck["refuse"] = (node): Refusal | undefined => {
    if (isMissing) return missing;
    if (!places.every((isHere) => isHere(node.node))) return elsewhere;
    return delayed.every((canBeHere) => canBeHere(node.node)) ? undefined : noneLeft;
  };
  return { type: "Check", refuse };
}

/** A claim that waits for its pod is served by a volume that can be reached from there, or by a provisioner. */
function delayedCheck(claim: PersistentVolumeClaim, reads: ClusterState["reads"]): NodePredicate {
  const className = claim.spec?.storageClassName ?? "";
  const provisioner = reads.storageClass(className)?.provisioner ?? "";
  if (provisioner !== "" && provisioner !== "kubernetes.io/no-provisioner") return () => true;
  const places = servingVolumes(claim, reads.volumes()).map(placesOf);
  return (node) => places.some((isHere) => isHere(node));
}

function bindingMode({ spec }: PersistentVolumeClaim, reads: ClusterState["reads"]): string {
  return reads.storageClass(spec?.storageClassName ?? "")?.volumeBindingMode ?? "Immediate";
}
