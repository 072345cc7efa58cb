import { compileSelector, objectKey, structuralEqual } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import type { CacheReads, MappingReads, ObjectChange } from "@kaji/runtime";
import { Service } from "@kaji/types/core/v1";
import type { Container, ObjectReference, Pod, ServicePort } from "@kaji/types/core/v1";
import { hasPodEnded, isPodReady } from "../pods/pod-state.ts";
import { selectedPods } from "../pods/selected-pods.ts";

const headlessLabel = "service.kubernetes.io/headless";

/** What an endpoint says of the pod behind it. */
export interface PodIdentity {
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef: ObjectReference;
}

/** Where a pod serves one port of a service. */
export interface PortBehind {
  /** Empty for a port without a name. */
  readonly name: string;
  readonly port: number;
  readonly protocol: "TCP" | "UDP" | "SCTP";
  readonly appProtocol?: string;
}

/** Whether the addresses of a service are those of the pods that it selects; otherwise the user writes them, or the service is an ExternalName. */
export function selectsPods({ spec }: Service): boolean {
  return spec?.selector !== undefined && spec.type !== "ExternalName";
}

/** The pods behind a service that have an address, by name. */
export function servicePods({ metadata, spec }: Service, cache: Pick<CacheReads<Pod>, "by" | "list">): readonly Pod[] {
  return selectedPods(cache, metadata.namespace ?? "", compileSelector({ matchLabels: spec?.selector ?? {} }))
    .filter((pod) => !hasPodEnded(pod) && podAddresses(pod).length > 0)
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}

/** Whether a change of a pod may change the endpoints of its services: its addresses, names, labels, or whether it serves. */
export function isMoved({ object, previous }: ObjectChange<Pod>): boolean {
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

/** Where a pod serves the ports of a service; ports of which the pod has none by that name are left out. */
export function portsBehind({ spec }: Service, pod: Pod): readonly PortBehind[] {
  return (spec?.ports ?? []).flatMap((servicePort): readonly PortBehind[] => {
    const port = podPort(pod, servicePort);
    const { name = "", protocol = "TCP", appProtocol } = servicePort;
    return port === undefined ? [] : [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function podPort({ spec }: Pod, { port, targetPort = port, protocol = "TCP" }: ServicePort): number | undefined {
  if (typeof targetPort === "number") return targetPort === 0 ? port : targetPort;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  const containers: readonly Container[] = [...(spec?.containers ?? []), ...sidecars];
  return containers.flatMap(({ ports = [] }) => ports).find(({ name, protocol: its = "TCP" }) => name === targetPort && its === protocol)
    ?.containerPort;
}

/** What an endpoint says of the pod behind it; the hostname only if the pod is named within the service. */
export function podIdentity({ metadata, spec }: Pod, service: Service): PodIdentity {
  const { namespace = "", name, uid = "" } = metadata;
  const { hostname = "", subdomain, nodeName } = spec ?? {};
  const isNamed = hostname !== "" && subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace;
  return {
    ...(isNamed ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

/** The labels that endpoints take over from their service, with the mark of those that are headless. */
export function endpointLabels(service: Service): Readonly<Record<string, string>> {
  const { [headlessLabel]: _headless, ...others } = service.metadata.labels ?? {};
  return { ...others, ...(isHeadless(service) ? { [headlessLabel]: "" } : {}) };
}

/** Whether a service has no address of its own. */
export function isHeadless({ spec }: Service): boolean {
  return (spec?.clusterIP ?? "") === "" || spec?.clusterIP === "None";
}
