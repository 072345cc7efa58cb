import type {
  ExternalMetricSource,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  PodsMetricSource,
} from "@kaji/types/autoscaling/v2";
import { labelSelectorText } from "../label-selector-text.ts";
import { isPodReady } from "../pods/pod-state.ts";
import { averageProposal } from "./average-proposal.ts";
import { milliOf, milliText } from "./metric-amounts.ts";
import { MetricError, partOf } from "./metric-error.ts";
import type { MetricReader } from "./metric-reader.ts";
import { replicasByRatio, replicasByShare } from "./proposed-replicas.ts";
import type { MetricProposal, ScaledPods } from "./scaled-pods.ts";

/** By what an adapter says of each pod. */
export async function podsProposal(
  { metric, target }: PodsMetricSource,
  scaled: ScaledPods,
  reader: MetricReader,
): Promise<MetricProposal> {
  const values = await partOf(`unable to get metric ${metric.name}`, () => reader.pods(metric, scaled.selector));
  const { replicas, average } = averageProposal(milliOf(target.averageValue ?? "0"), undefined, values, scaled);
  const status = { type: "Pods", pods: { metric, current: { averageValue: milliText(average) } } };
  return { replicas, metric: `pods metric ${metric.name}`, status };
}

/** By what an adapter says of another object. */
export async function objectProposal(
  { metric, target, describedObject }: ObjectMetricSource,
  scaled: ScaledPods,
  reader: MetricReader,
): Promise<MetricProposal> {
  const { kind, name } = describedObject;
  const value = await reader.object(metric, describedObject).catch((error: unknown) => {
    if (!(error instanceof MetricError)) throw error;
    // It is said in this order.
    const where = `${kind} on ${scaled.namespace} ${name}/${error.message}`;
    throw new MetricError(`unable to get metric ${metric.name}: ${where}`, { cause: error });
  });
  const { replicas, current } = valueProposal("object", target, value, scaled);
  const called = target.averageValue === undefined ? `${kind} metric ${metric.name}` : outsideName(metric);
  return { replicas, metric: called, status: { type: "Object", object: { describedObject, metric, current } } };
}

/** By what an adapter says of something outside the cluster. */
export async function externalProposal(
  { metric, target }: ExternalMetricSource,
  scaled: ScaledPods,
  reader: MetricReader,
): Promise<MetricProposal> {
  const what = `unable to get external metric ${scaled.namespace}/${metric.name}/${labelSelectorText(metric.selector)}`;
  const value = await partOf(what, () => reader.external(metric));
  const { replicas, current } = valueProposal("external", target, value, scaled);
  return { replicas, metric: outsideName(metric), status: { type: "External", external: { metric, current } } };
}

/** By one value for all pods: what it should be, or how much of it each pod should have. */
function valueProposal(
  what: "external" | "object",
  { averageValue, value: wantedValue }: MetricTarget,
  value: number,
  { pods, wanted, present, tolerances }: ScaledPods,
): { readonly replicas: number; readonly current: MetricValueStatus } {
  if (averageValue !== undefined) {
    const replicas = replicasByShare(value, milliOf(averageValue), present, tolerances);
    return { replicas, current: { averageValue: milliText(present === 0 ? value : Math.ceil(value / present)) } };
  }
  if (wantedValue === undefined) {
    throw new MetricError(`invalid ${what} metric source: neither a value target nor an average value target was set`);
  }
  const readyCount = (): number => {
    if (pods.length === 0) {
      throw new MetricError("unable to calculate ready pods: no pods returned by selector while calculating replica count");
    }
    return pods.filter((pod) => pod.status?.phase === "Running" && isPodReady(pod)).length;
  };
  return { replicas: replicasByRatio(value / milliOf(wantedValue), wanted, readyCount, tolerances), current: { value: milliText(value) } };
}

function outsideName({ name, selector }: ExternalMetricSource["metric"]): string {
  return `external metric ${name}(${labelSelectorText(selector)})`;
}
