import { aborted } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { DeliveredDelta } from "@kaji/informer";
import type { OtherCluster } from "./other-cluster.ts";
import type { OtherClusters } from "./other-clusters.ts";
import type { Source } from "../declare/source.ts";
import { enqueueMapped } from "../sources/enqueue-mapped.ts";

/** How the objects of other clusters lead to those of a controller. */
export interface ClustersSourceOptions {
  /** Which objects to reconcile because of a change in a cluster; each object that is there counts as one when it is first mirrored. Default: none. */
  readonly toKeys?: ((delta: DeliveredDelta<KubeObject>, cluster: OtherCluster) => Iterable<ObjectKey | string>) | undefined;
}

/** Lets a controller work with other clusters, and asks for objects because of what happens in those. Each controller that connects them has it among its sources. */
export function fromClusters(clusters: OtherClusters, { toKeys = () => [] }: ClustersSourceOptions = {}): Source<KubeObject> {
  const name = "other clusters";
  return {
    name,
    async run({ signal, clock, random, log, outward, enqueue }) {
      const onChange = (delta: DeliveredDelta<KubeObject>, cluster: OtherCluster): void => {
        enqueueMapped({ log, enqueue }, { source: name, cluster: cluster.name, object: delta.key }, () => toKeys(delta, cluster));
      };
      using _hosting = clusters.host({ clock, random, log, outward, onChange });
      await aborted(signal);
    },
  };
}
