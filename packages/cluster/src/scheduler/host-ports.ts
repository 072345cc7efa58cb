import type { Pod } from "@kaji/types/core/v1";

/** A port of the node that a container is reached at. */
export interface HostPort {
  readonly ip: string;
  /** Protocol and number. */
  readonly port: string;
}

const everyIp = "0.0.0.0";

/** The ports of its node that a pod takes. */
export function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec?.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .filter(({ hostPort = 0 }) => hostPort > 0)
    .map(({ hostIP, hostPort, protocol }) => ({
      ip: hostIP === undefined || hostIP === "" ? everyIp : hostIP,
      port: `${protocol ?? "TCP"}/${hostPort}`,
    }));
}

/** The ports of a node that are taken. Two pods may hold the same port until the kubelet has rejected the second. */
export class TakenPorts {
  /** By port and IP, by how many pods. */
  readonly #taken = new Map<string, Map<string, number>>();

  add({ ip, port }: HostPort, by: 1 | -1): void {
    const ips = this.#taken.get(port) ?? new Map<string, number>();
    const count = (ips.get(ip) ?? 0) + by;
    if (count > 0) ips.set(ip, count);
    else ips.delete(ip);
    if (ips.size > 0) this.#taken.set(port, ips);
    else this.#taken.delete(port);
  }

  /** Whether a port is taken: on the same IP, or on one that stands for all. */
  has({ ip, port }: HostPort): boolean {
    const ips = this.#taken.get(port);
    if (ips === undefined) return false;
    return ip === everyIp || ips.has(ip) || ips.has(everyIp);
  }
}
