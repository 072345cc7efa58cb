import type { MetricSpec } from "@kaji/types/autoscaling/v2";
import { externalProposal, objectProposal, podsProposal } from "./adapter-proposal.ts";
import { MetricError } from "./metric-error.ts";
import type { MetricReader } from "./metric-reader.ts";
import { resourceProposal } from "./resource-proposal.ts";
import type { MetricProposal, ScaledPods } from "./scaled-pods.ts";

/** How many replicas there should be by one metric. Throws a `MetricError` if it does not say that. */
export async function metricProposal(spec: MetricSpec, scaled: ScaledPods, reader: MetricReader): Promise<MetricProposal> {
  const { resource, containerResource, pods, object, external } = spec;
  if (resource !== undefined) {
    const { name, target } = resource;
    const { current, ...proposal } = await resourceProposal({ resource: name }, target, scaled, reader);
    return { ...proposal, status: { type: "Resource", resource: { name, current } } };
  }
  if (containerResource !== undefined) {
    const { name, container, target } = containerResource;
    const { current, ...proposal } = await resourceProposal({ resource: name, container }, target, scaled, reader);
    return { ...proposal, status: { type: "ContainerResource", containerResource: { name, container, current } } };
  }
  if (pods !== undefined) return podsProposal(pods, scaled, reader);
  if (object !== undefined) return objectProposal(object, scaled, reader);
  if (external !== undefined) return externalProposal(external, scaled, reader);
  throw new MetricError(`unknown metric source type "${spec.type}"`);
}

/** What a metric that says nothing is called: the reason of a condition and an event, and what its message begins with among those of others. */
export function metricFailure({ type, resource, containerResource, object, external }: MetricSpec): {
  readonly reason: string;
  readonly what: string;
} {
  const failure = (what: string): { readonly reason: string; readonly what: string } => ({ reason: `FailedGet${type}Metric`, what });
  if (resource !== undefined) return failure(`failed to get ${resource.name} resource metric value`);
  if (containerResource !== undefined) return failure(`failed to get ${containerResource.container} container metric value`);
  if (object !== undefined) {
    const { metric, target } = object;
    const more = target.averageValue === undefined ? "" : `: failed to get ${metric.name} object metric`;
    return failure(`failed to get object metric value${more}`);
  }
  if (external !== undefined) {
    const { metric, target } = external;
    const more =
      target.averageValue === undefined ? `failed to get external metric ${metric.name}` : `failed to get ${metric.name} external metric`;
    return failure(`failed to get ${metric.name} external metric value: ${more}`);
  }
  return failure("failed to get pods metric value");
}
