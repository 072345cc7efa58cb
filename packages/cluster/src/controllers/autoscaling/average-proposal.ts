import { measuredPods } from "./measured-pods.ts";
import type { PodValues } from "./pod-values.ts";
import { proposedReplicas } from "./proposed-replicas.ts";
import type { ScaledPods } from "./scaled-pods.ts";

/** How many replicas there should be for pods to use so much on average, and how much they do; in thousandths. */
export function averageProposal(
  target: number,
  resource: string | undefined,
  values: PodValues,
  { pods, wanted, tolerances, nowMs }: ScaledPods,
): { readonly replicas: number; readonly average: number } {
  const measured = measuredPods(pods, values, resource, nowMs);
  const averageOf = (used: ReadonlyMap<string, number>): number =>
    Math.trunc(used.values().reduce((sum, milli) => sum + milli, 0) / used.size);
  const measure = { ratioOf: (used: ReadonlyMap<string, number>) => averageOf(used) / target, mostOf: () => target };
  return { replicas: proposedReplicas(measured, measure, wanted, tolerances), average: averageOf(measured.values) };
}
