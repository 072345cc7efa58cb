import { compileSelector, objectKey, structuralEqual } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import type { CacheReads, Change, MappingReads } from "@kaji/runtime";
import { Pod, Service } from "@kaji/types/core/v1";
import type { Container, ObjectReference, ServicePort } from "@kaji/types/core/v1";
import { hasPodEnded, isPodReady } from "../pods/pod-state.ts";

/** Whether the addresses of a service are those of the pods that it selects: if not, somebody else says what they are. */
export function selectsPods({ spec }: Service): boolean {
  return spec?.selector !== undefined && spec.type !== "ExternalName";
}

/** The pods behind a service that have an address, by name. */
export function servicePods({ metadata, spec }: Service, cache: CacheReads<Pod>): readonly Pod[] {
  const selector = compileSelector({ matchLabels: spec?.selector ?? {} });
  const pods: readonly Pod[] = [...cache.list(Pod, { namespace: metadata.namespace ?? "", selector })];
  return pods
    .filter((pod) => !hasPodEnded(pod) && podAddresses(pod).length > 0)
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}

/** Whether a pod is to be found elsewhere than before, or serves otherwise. */
export function isMoved({ object, previous }: Change<Pod>): boolean {
  return object === undefined || previous === undefined || !structuralEqual(facts(object), facts(previous));
}

function facts(pod: Pod): readonly unknown[] {
  const { metadata, spec } = pod;
  const { nodeName, hostname, subdomain } = spec ?? {};
  return [metadata.labels, metadata.deletionTimestamp, nodeName, hostname, subdomain, podAddresses(pod), isPodReady(pod), hasPodEnded(pod)];
}

/** The services that select a pod. */
export function* servicesOf(pod: Pod, reads: MappingReads): Generator<ObjectKey> {
  const { namespace = "", labels } = pod.metadata;
  for (const { metadata, spec } of reads.list(Service, { namespace })) {
    const { selector } = spec ?? {};
    if (selector !== undefined && compileSelector({ matchLabels: selector }).matches(labels)) yield objectKey(metadata);
  }
}

/** All addresses of a pod. */
export function podAddresses({ status }: Pod): readonly string[] {
  const all = (status?.podIPs ?? []).map(({ ip }) => ip).filter((ip) => ip !== undefined && ip !== "");
  const { podIP = "" } = status ?? {};
  return all.length > 0 || podIP === "" ? all.filter((ip) => ip !== undefined) : [podIP];
}

/** The port of a pod behind a port of a service; undefined if the pod has none of that name. */
export function podPort({ spec }: Pod, { port, targetPort = port, protocol = "TCP" }: ServicePort): number | undefined {
  if (typeof targetPort === "number") return targetPort === 0 ? port : targetPort;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  const containers: readonly Container[] = [...(spec?.containers ?? []), ...sidecars];
  return containers.flatMap(({ ports = [] }) => ports).find(({ name, protocol: its = "TCP" }) => name === targetPort && its === protocol)
    ?.containerPort;
}

/** Whether clients of a service know its pods by names of their own. */
export function hostnameFor({ spec, metadata }: Pod, service: Service): string | undefined {
  const { hostname = "", subdomain } = spec ?? {};
  const isNamed = hostname !== "" && subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace;
  return isNamed ? hostname : undefined;
}

/** How endpoints name the pod that they are of. */
export function referenceTo({ metadata }: Pod): ObjectReference {
  const { namespace = "", name, uid = "" } = metadata;
  return { kind: "Pod", namespace, name, uid };
}

/** Whether a service has no address of its own. */
export function isHeadless({ spec }: Service): boolean {
  return (spec?.clusterIP ?? "") === "" || spec?.clusterIP === "None";
}

/** Marks what belongs to services that are headless. */
export const headlessLabel = "service.kubernetes.io/headless";
