import { createHash } from "node:crypto";
import { jsonOf } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { formatGo } from "@kaji/core/go";
import type { StatefulSet } from "@kaji/types/apps/v1";

/** How far a StatefulSet is with the update of its pods to the present template, which goes down to its partition. */
export interface StatefulRevisions {
  /** How many pods are of the present template when the next step is done, which takes all that are wanted to be ready. */
  readonly updatable: number;
  /** How many are, as soon as this generation is seen. */
  readonly updated: number;
  /** What the status says of revisions when so many pods are updated of those that there are. */
  statusWith(updated: number, present: number): JsonObject;
}

/** The revisions of a StatefulSet, named by the hash of their template. */
export function revisionsOf({ metadata, spec, status }: StatefulSet): StatefulRevisions {
  const wanted = spec?.replicas ?? 1;
  const update = `${metadata.name}-${hashOf(spec?.template ?? {})}`;
  const { currentRevision: current = update, updateRevision, updatedReplicas = 0 } = status ?? {};
  const partition = spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  return {
    updatable: current === update ? wanted : Math.max(0, wanted - partition),
    updated: updateRevision === update ? Math.min(updatedReplicas, wanted) : 0,
    statusWith(updated, present) {
      const isOver = current === update || (updated === wanted && present === wanted);
      return {
        updateRevision: update,
        updatedReplicas: updated,
        currentRevision: isOver ? update : current,
        currentReplicas: isOver ? present : present - updated,
      };
    },
  };
}

/** The same for all templates with the same fields, whatever their order. */
function hashOf(template: object): string {
  return createHash("sha256")
    .update(formatGo(jsonOf(template)))
    .digest("hex")
    .slice(0, 10);
}
