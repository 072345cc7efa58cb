import { indifferent, refusal } from "../filter.ts";
import type { Filter } from "../filter.ts";
import type { PlacedPod } from "../placed-pod.ts";

const inUse = refusal("node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod", {
  isResolvable: true,
});

/** A claim that is for one pod alone goes to one at a time, wherever that runs. */
export const volumeRestrictions: Filter = {
  wokenBy: ["NodeAdded", "PodGone", "VolumeChanged"],
  prepare: ({ claims, namespace }, state) => {
    const exclusive = new Set(claims.filter((name) => isForOnePod(state.reads.claim(namespace, name)?.spec?.accessModes)));
    let conflicts = [...exclusive].filter((name) => state.isClaimUsed(namespace, name)).length;
    if (conflicts === 0) return indifferent;
    const suppose = (other: PlacedPod, by: 1 | -1): void => {
      if (other.namespace === namespace) conflicts += by * other.claims.filter((name) => exclusive.has(name)).length;
    };
    return { type: "Check", refuse: () => (conflicts > 0 ? inUse : undefined), suppose: (other, _node, by) => suppose(other, by) };
  },
};

function isForOnePod(accessModes: readonly string[] = []): boolean {
  return accessModes.includes("ReadWriteOncePod");
}
