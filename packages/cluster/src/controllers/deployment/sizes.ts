import type { ReplicaSet } from "@kaji/types/apps/v1";

/** How many pods a ReplicaSet is to have from now on. */
export interface Sizing {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}
