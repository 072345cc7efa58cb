import { isReason } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { byOwner } from "@kaji/informer";
import type { StatefulSet } from "@kaji/types/apps/v1";
import { PersistentVolumeClaim } from "@kaji/types/core/v1";
import { failureMessage } from "../failure-message.ts";
import { ownersPatch } from "../pods/pod-ownership.ts";
import { isPodActive, isPodUnschedulable } from "../pods/pod-state.ts";
import { ToldError } from "../told-error.ts";
import { goesWithFormer, isClaimOwner, ownedFromBirth, retainingOwners } from "./claim-retention.ts";
import type { StatefulContext } from "./stateful-context.ts";
import { claimsOf, ordinalOf } from "./stateful-pod.ts";
import { ordinalRange } from "./stateful-steps.ts";
import type { StatefulState } from "./stateful-steps.ts";

/** Has claims go with their set or their pod, where the set says so. */
export async function retainClaims({ set, pods }: StatefulState, { cache, client }: StatefulContext): Promise<void> {
  if (!isClaimOwner(set) && !isAnyOwned([set, ...pods], cache)) return;
  const { start, end } = ordinalRange(set);
  for (const pod of pods) {
    const ordinal = ordinalOf(pod, set) ?? -1;
    const isCondemned = ordinal < start || ordinal >= end;
    for (const { metadata } of claimsOf(set, ordinal)) {
      const claim = cache.get(PersistentVolumeClaim, { namespace: metadata.namespace, name: metadata.name ?? "" });
      const owners = claim === undefined ? undefined : retainingOwners(claim, set, { pod, isCondemned });
      if (claim === undefined || owners === undefined) continue;
      await client.mergePatch(PersistentVolumeClaim, claim.metadata, ownersPatch(claim.metadata, owners));
    }
  }
}

/** Whether any of these owns a claim, without a look at claims that nobody does. */
function isAnyOwned(owners: readonly KubeObject[], cache: StatefulContext["cache"]): boolean {
  return owners.some(({ metadata }) => cache.by(PersistentVolumeClaim, byOwner, metadata.uid ?? "").next().done !== true);
}

/** Gives pods that found no node the claims that they lack: somebody may have deleted them meanwhile. */
export async function replaceClaims({ set, pods }: StatefulState, context: StatefulContext): Promise<void> {
  const { start, end } = ordinalRange(set);
  for (const pod of pods) {
    const ordinal = ordinalOf(pod, set) ?? -1;
    const isWaiting = isPodUnschedulable(pod) && isPodActive(pod);
    if (isWaiting && ordinal >= start && ordinal < end) await ensureClaims(set, ordinal, context);
  }
}

/** Makes the claims of a pod that are not there. Throws while one is still there that has to go. */
export async function ensureClaims(set: StatefulSet, ordinal: number, { cache, client, event }: StatefulContext): Promise<void> {
  const pod = `${set.metadata.name}-${ordinal}`;
  for (const claim of claimsOf(set, ordinal)) {
    const { namespace, name = "" } = claim.metadata;
    const present = cache.get(PersistentVolumeClaim, { namespace, name });
    const isGoing = present?.metadata.deletionTimestamp !== undefined || goesWithFormer(present, set, pod);
    if (isGoing) throw new ToldError(`pvc ${name} is being deleted`);
    if (present !== undefined) continue;
    try {
      await client.create(PersistentVolumeClaim, ownedFromBirth(claim, set));
      event("Normal", "SuccessfulCreate", `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`);
    } catch (error) {
      if (isReason(error, "AlreadyExists")) continue;
      const why = failureMessage(error);
      const what = `Create Claim ${name} for Pod ${pod} in StatefulSet ${set.metadata.name}`;
      event("Warning", "FailedCreate", `${what} failed error: ${why}`);
      throw new ToldError(`failed to create PVC ${name}: ${why}`, { cause: error });
    }
  }
}
