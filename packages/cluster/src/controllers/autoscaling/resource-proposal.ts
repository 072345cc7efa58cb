import type { MetricTarget, MetricValueStatus } from "@kaji/types/autoscaling/v2";
import { averageProposal } from "./average-proposal.ts";
import { measuredPods } from "./measured-pods.ts";
import { amountText, milliOf } from "./metric-amounts.ts";
import { MetricError, partOf } from "./metric-error.ts";
import type { MetricReader } from "./metric-reader.ts";
import { requestsOf } from "./pod-requests.ts";
import type { PodValues } from "./pod-values.ts";
import { proposedReplicas } from "./proposed-replicas.ts";
import type { ScaledPods } from "./scaled-pods.ts";

/** Which resource is meant, of all containers of a pod or of one. */
export interface ResourceSource {
  readonly resource: string;
  readonly container?: string;
}

/** What the use of a resource says. */
export interface ResourceProposal {
  readonly replicas: number;
  /** What the metric is called in messages. */
  readonly metric: string;
  readonly current: MetricValueStatus;
}

/** How many replicas there should be by what pods use of a resource: so much on average, or such a part of what they ask for. */
export function resourceProposal(
  source: ResourceSource,
  { averageValue, averageUtilization }: MetricTarget,
  scaled: ScaledPods,
  reader: MetricReader,
): Promise<ResourceProposal> {
  const { resource, container } = source;
  const read = (): Promise<PodValues> =>
    partOf(`unable to get metrics for resource ${resource}`, () => reader.resource(resource, scaled.selector, container));
  if (averageValue !== undefined) {
    return partOf(`failed to get ${resource} usage`, async () => {
      const { replicas, average } = averageProposal(milliOf(averageValue), resource, await read(), scaled);
      return { replicas, metric: `${resource} resource`, current: { averageValue: amountText(resource, average) } };
    });
  }
  if (averageUtilization === undefined) throw new MetricError(withoutTarget);
  return partOf(`failed to get ${resource} utilization`, async () => {
    const { replicas, share, average } = utilizationProposal(averageUtilization, source, await read(), scaled);
    const what = container === undefined ? "resource" : "container resource";
    const current = { averageUtilization: share, averageValue: amountText(resource, average) };
    return { replicas, metric: `${resource} ${what} utilization (percentage of request)`, current };
  });
}

const withoutTarget = "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set";

/** By which part of what they ask for pods use, in percent. */
function utilizationProposal(
  target: number,
  { resource, container }: ResourceSource,
  values: PodValues,
  { pods, wanted, tolerances, nowMs }: ScaledPods,
): { readonly replicas: number } & Utilization {
  const measured = measuredPods(pods, values, resource, nowMs);
  const requests = requestsOf(pods, resource, container);
  const measure = {
    ratioOf: (used: ReadonlyMap<string, number>) => utilization(used, requests).share / target,
    mostOf: (pod: string) => Math.trunc(((requests.get(pod) ?? 0) * Math.max(100, target)) / 100),
  };
  return { replicas: proposedReplicas(measured, measure, wanted, tolerances), ...utilization(measured.values, requests) };
}

interface Utilization {
  /** In percent. */
  readonly share: number;
  /** In thousandths. */
  readonly average: number;
}

function utilization(used: ReadonlyMap<string, number>, requests: ReadonlyMap<string, number>): Utilization {
  // Of a pod that is gone there may still be metrics.
  const known = [...used].filter(([pod]) => requests.has(pod));
  const total = known.reduce((sum, [, milli]) => sum + milli, 0);
  const asked = known.reduce((sum, [pod]) => sum + (requests.get(pod) ?? 0), 0);
  if (asked === 0) throw new MetricError("no metrics returned matched known pods");
  return { share: Math.trunc((total * 100) / asked), average: Math.trunc(total / known.length) };
}
