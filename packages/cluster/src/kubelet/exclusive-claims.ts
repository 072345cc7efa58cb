import type { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { hasPodEnded } from "../controllers/pods/pod-state.ts";

const inUse = "volume uses the ReadWriteOncePod access mode and is already in use by another pod";

/** Reads a claim of a namespace. */
export type ClaimRead = (namespace: string, name: string) => PersistentVolumeClaim | undefined;

/**
 * Which pod of a node has a volume that is for one pod at a time. The scheduler sees to it, too, but not for pods whose user set `spec.nodeName`; and as on
 * real nodes, each knows of its own pods only.
 */
export class ExclusiveClaims {
  /** The pod that has a claim on a node, or is about to, by node and claim. Of claims that many may have, it is one of them. */
  readonly #holders = new Map<string, string>();

  /** Why a pod cannot mount its volumes yet. When it can, they are its own from now on. */
  take(pod: Pod, claim: ClaimRead): string | undefined {
    const { namespace = "", uid = "" } = pod.metadata;
    const exclusive = claimNames(pod).filter((name) => isForOnePod(claim(namespace, name)));
    for (const name of exclusive) {
      if ((this.#holders.get(keyOf(pod, name)) ?? uid) === uid) continue;
      const volume = claim(namespace, name)?.spec?.volumeName ?? "";
      return `MountVolume.SetUp failed for volume ${JSON.stringify(volume)} : ${inUse}`;
    }
    for (const name of exclusive) this.#holders.set(keyOf(pod, name), uid);
    return undefined;
  }

  /** Takes in how a pod is now, and tells whether others may have what it had. */
  observe(pod: Pod, isGone: boolean): boolean {
    const { uid = "" } = pod.metadata;
    const keys = claimNames(pod).map((name) => keyOf(pod, name));
    if (isGone || hasPodEnded(pod)) return keys.filter((key) => this.#holders.get(key) === uid && this.#holders.delete(key)).length > 0;
    if (pod.status?.podIP === undefined) return false;
    for (const key of keys) if (!this.#holders.has(key)) this.#holders.set(key, uid);
    return false;
  }
}

/** What its volume allows; of a volume that allows more than one mode, nobody knows which a pod wants. */
function isForOnePod(claim: PersistentVolumeClaim | undefined): boolean {
  const modes = claim?.status?.accessModes ?? [];
  return modes.length === 1 && modes[0] === "ReadWriteOncePod";
}

function claimNames({ spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => (claim === undefined ? [] : [claim.claimName]));
}

function keyOf({ metadata, spec }: Pod, claim: string): string {
  return `${spec?.nodeName}/${metadata.namespace}/${claim}`;
}
