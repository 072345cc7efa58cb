import type { Pod } from "@kaji/types/core/v1";
import { isSidecar } from "../../kubelet/restart-policy.ts";
import { podRequests } from "../../scheduler/resource-amounts.ts";
import { milliOf } from "./metric-amounts.ts";
import { MetricError } from "./metric-error.ts";

/** How much of a resource pods ask for, in thousandths, by their names, or one container of each. Throws if one does not say it. */
export function requestsOf(pods: readonly Pod[], resource: string, container: string | undefined): ReadonlyMap<string, number> {
  return new Map(pods.map((pod) => [pod.metadata.name, requestOf(pod, resource, container)]));
}

function requestOf(pod: Pod, resource: string, container: string | undefined): number {
  const isAsked = container === undefined && Object.keys(pod.spec?.resources?.requests ?? {}).length > 0;
  return isAsked ? requestAsWhole(pod, resource) : requestOfContainers(pod, resource, container);
}

/** What a pod asks for that asks as a whole. */
function requestAsWhole(pod: Pod, resource: string): number {
  const amount = podRequests(pod).get(resource);
  if (amount === undefined) throw new MetricError(`missing pod-level request for ${resource} in Pod ${pod.metadata.name}`);
  return resource === "cpu" ? amount : amount * 1000;
}

function requestOfContainers({ metadata, spec }: Pod, resource: string, container: string | undefined): number {
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? []).filter(isSidecar)];
  const asking = all.filter(({ name }) => container === undefined || name === container);
  if (container !== undefined && asking.length === 0) throw new MetricError(`container ${container} not found in Pod ${metadata.name}`);
  return asking.reduce((sum, { name, resources }) => {
    const request = resources?.requests?.[resource];
    if (request === undefined) throw new MetricError(`missing request for ${resource} in container ${name} of Pod ${metadata.name}`);
    return sum + milliOf(request);
  }, 0);
}
