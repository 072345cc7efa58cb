import type { Column } from "../kind.ts";
import { formatAge } from "./age.ts";
import { creationTimestampDescription, nameColumn } from "./metadata-columns.ts";

/** What `kubectl get --subresource=scale` shows, of whatever kind it is. */
export const scaleColumns: readonly Column[] = [
  nameColumn,
  { name: "Desired", type: "integer", description: "Number of desired replicas", cell: ({ spec }) => replicasIn(spec) },
  { name: "Available", type: "integer", description: "Number of actual replicas", cell: ({ status }) => replicasIn(status) },
  {
    name: "Age",
    type: "date",
    description: creationTimestampDescription,
    cell: ({ metadata }, nowMs) => formatAge(metadata.creationTimestamp, nowMs),
  },
];

function replicasIn(part: unknown): number {
  return typeof part === "object" && part !== null && "replicas" in part ? Number(part.replicas) : 0;
}
