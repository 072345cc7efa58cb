import { isConditionTrue } from "@kaji/core";
import { Pod, Service } from "@kaji/types/core/v1";
import type { ServicePort } from "@kaji/types/core/v1";
import type { KubeClient } from "../kube-client.ts";
import { parseAddress } from "../request/object-address.ts";
import type { ObjectAddress } from "../request/object-address.ts";
import type { PodPort } from "./port-forward-error.ts";

/** What a port is of: a Pod by its address, or any ready one of a Service. */
export type PortForwardTarget = ObjectAddress | { readonly service: ObjectAddress };

/** A Service or a Pod has no such port, or no Pod that is ready. */
export class PortResolutionError extends Error {
  override readonly name = "PortResolutionError";
}

interface ResolveOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Finds the Pod, and the number of its port, as kubectl does. Only a Pod with a number is known without asking the server. */
export async function resolvePort(
  client: Pick<KubeClient, "get" | "list">,
  target: PortForwardTarget,
  port: number | string,
  { signal }: ResolveOptions,
): Promise<PodPort> {
  if (typeof port === "number") requirePortNumber(port);
  if (typeof target === "object" && "service" in target) return portOfService(client, target.service, port, { signal });
  const { namespace = "", name } = parseAddress(target);
  if (typeof port === "number") return { namespace, name, port };
  return { namespace, name, port: containerPort(await client.get(Pod, target, { signal }), port) };
}

async function portOfService(
  client: Pick<KubeClient, "get" | "list">,
  address: ObjectAddress,
  wanted: number | string,
  { signal }: ResolveOptions,
): Promise<PodPort> {
  const { metadata, spec } = await client.get(Service, address, { signal });
  const { namespace = "", name } = metadata;
  const port = spec?.ports?.find((each) => isTcp(each) && (each.port === wanted || each.name === wanted));
  if (port === undefined)
    throw new PortResolutionError(`service ${namespace}/${name} has no port ${wanted}; it has ${listed(spec?.ports)}`);
  const { selector = {} } = spec ?? {};
  if (Object.keys(selector).length === 0) {
    throw new PortResolutionError(`service ${namespace}/${name} has no selector, so that no Pods are known by it`);
  }
  const { items } = await client.list(Pod, { namespace, labelSelector: { matchLabels: selector }, signal });
  const pod = items.find(isReady);
  if (pod === undefined) {
    throw new PortResolutionError(`service ${namespace}/${name} has no ready Pod, of ${items.length} that it selects`);
  }
  return { namespace, name: pod.metadata.name, port: targetPort(port, pod, spec?.clusterIP === "None") };
}

/** A headless Service translates no ports. */
function targetPort({ port, targetPort: target = port }: ServicePort, pod: Pod, isHeadless: boolean): number {
  if (isHeadless || target === 0) return port;
  return typeof target === "number" ? target : containerPort(pod, target);
}

function containerPort({ metadata, spec }: Pod, name: string): number {
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === "Always") ?? [];
  const ports = [...(spec?.containers ?? []), ...sidecars].flatMap((container) => container.ports ?? []);
  const found = ports.find((each) => isTcp(each) && each.name === name);
  if (found !== undefined) return found.containerPort;
  const known = listed(ports.map((each) => ({ ...each, port: each.containerPort })));
  throw new PortResolutionError(`pod ${metadata.namespace}/${metadata.name} has no port ${name}; it has ${known}`);
}

function isReady({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && isConditionTrue(status?.conditions, "Ready");
}

/** The only protocol that is forwarded. */
function isTcp({ protocol = "TCP" }: { readonly protocol?: string }): boolean {
  return protocol === "TCP";
}

function listed(ports: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[] = []): string {
  const words = ports.map(
    ({ name, port, protocol = "TCP" }) => `${name === undefined ? "" : `${name} `}${port}${protocol === "TCP" ? "" : ` (${protocol})`}`,
  );
  return words.length === 0 ? "none" : words.join(", ");
}

function requirePortNumber(port: number): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new TypeError(`a port is a number from 1 to 65535, or a name; ${port} is none`);
}
