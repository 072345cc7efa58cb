import type { Reservation, StrategyContext } from "@kaji/apiserver";
import { FieldPath, invalid, invalidValue, refusal } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject, ObjectMeta, ResourceName } from "@kaji/core";
import { withField } from "../field-defaults.ts";
import { numberField, objectField, objectsField, stringField, stringsField } from "../json-fields.ts";
import { isDryRun } from "../dry-run.ts";
import type { HeldByServices } from "./held-by-services.ts";
import type { ServiceAddresses } from "./service-addresses.ts";
import { Reservations, nodePorts } from "./scarce-pool.ts";
import type { Hand } from "./scarce-pool.ts";
import { isHeadless, needsClusterIp, needsHealthCheck, nodePortsOf, wantsNodePorts } from "./service-fields.ts";
import { withIpFamilies } from "./service-families.ts";
import { withAllocatedValues, withClusterIps } from "./service-continuity.ts";
import { serviceIps } from "./service-range.ts";

const specPath = FieldPath.of("spec");
const serviceCidrs = { group: "networking.k8s.io", plural: "servicecidrs" };
/** The kind that says which addresses are taken. */
export const ipAddresses: ResourceName = { group: "networking.k8s.io", plural: "ipaddresses" };

/** Gives services their addresses and ports. */
export type ServiceAllocator = (service: DynamicObject, old: DynamicObject | undefined, context: StrategyContext) => Promise<Reservation>;

/** What services of one server have, and where it is written down. */
export interface ServiceHolds {
  readonly held: HeldByServices;
  readonly addresses: Pick<ServiceAddresses, "claim" | "release">;
}

/** Makes the allocator of one server. */
export function createServiceAllocator({ held, addresses }: ServiceHolds): ServiceAllocator {
  const ips = new Reservations<string>();
  const ports = new Reservations<number>();
  return async (service, old, { objects, request }) => {
    const isHeld = (ip: string): boolean => held.hasIp(ip) || objects.get(ipAddresses, undefined, ip) !== undefined;
    const dryRun = isDryRun(request);
    const hands = {
      ips: ips.open(serviceIps(objects.list(serviceCidrs)), isHeld),
      ports: ports.open(nodePorts, (port) => held.hasPort(port)),
    };
    const allocation = new Allocation(service.metadata, hands, dryRun);
    const oldSpec = old === undefined ? undefined : objectField(old, "spec");
    const release = async (before: readonly string[]): Promise<void> => {
      if (!dryRun) await Promise.all(before.map((ip) => addresses.release(ip)));
      allocation.settle();
    };
    try {
      const spec = allocation.give(objectField(service, "spec"), oldSpec);
      if (!dryRun) await allocation.claim(addresses);
      const dropped = ipsOf(oldSpec).filter((ip) => !ipsOf(spec).includes(ip));
      return { object: { ...service, spec }, settle: (stored) => release(stored ? dropped : allocation.claimed) };
    } catch (error) {
      await release(allocation.claimed);
      throw error;
    }
  };
}

/** The addresses that a service has of those of all services. */
export function ipsOf(spec: JsonObject | undefined): readonly string[] {
  return spec === undefined ? [] : stringsField(spec, "clusterIPs").filter((ip) => ip !== "None");
}

/** What one write of a service takes. */
class Allocation {
  readonly #service: ObjectMeta;
  readonly #ips: Hand<string>;
  readonly #ports: Hand<number>;
  /** Made-up values are shown for what would be taken. */
  readonly #dryRun: boolean;
  /** The addresses that are written down as the service's, though it is not stored yet. */
  readonly claimed: string[] = [];

  constructor(service: ObjectMeta, { ips, ports }: { readonly ips: Hand<string>; readonly ports: Hand<number> }, dryRun: boolean) {
    this.#service = service;
    this.#ips = ips;
    this.#ports = ports;
    this.#dryRun = dryRun;
  }

  give(given: JsonObject, old: JsonObject | undefined): JsonObject {
    const continued = withClusterIps(old === undefined ? given : withAllocatedValues(given, old), old);
    const spec = this.#withIps(withIpFamilies(continued, old, this.#service.name), old);
    return this.#withHealthCheckPort(this.#withNodePorts(spec, old), old);
  }

  /** Writes down what addresses it has taken. */
  async claim(addresses: ServiceHolds["addresses"]): Promise<void> {
    for (const ip of this.#ips.taken) {
      if (!(await addresses.claim(ip, this.#service))) throw this.#unavailable(ip, this.#ips.taken);
      this.claimed.push(ip);
    }
  }

  settle(): void {
    this.#ips.settle();
    this.#ports.settle();
  }

  #withIps(spec: JsonObject, old: JsonObject | undefined): JsonObject {
    const isNew = old === undefined || !needsClusterIp(old);
    if (!isNew || !needsClusterIp(spec) || isHeadless(spec)) return spec;
    const given = stringsField(spec, "clusterIPs");
    const ips = stringsField(spec, "ipFamilies").map((_family, index) => this.#takeIp(given[index] ?? "", given));
    return { ...withField(spec, "clusterIPs", ips), clusterIP: ips[0] ?? "" };
  }

  #takeIp(wanted: string, given: readonly string[]): string {
    const path = specPath.child("clusterIPs");
    if (wanted === "") {
      const ip = this.#dryRun ? this.#ips.pretend() : this.#ips.takeNext();
      if (ip === undefined) throw this.#full("serviceIP for Service", "range is full");
      return ip;
    }
    const { pool } = this.#ips;
    if (!pool.has(wanted)) {
      const why = `the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${pool.range}`;
      throw this.#refused(invalidValue(path, given, `failed to allocate IP ${wanted}: ${why}`));
    }
    if (!this.#ips.take(wanted)) throw this.#unavailable(wanted, given);
    return wanted;
  }

  #unavailable(ip: string, given: readonly string[]): Error {
    const path = specPath.child("clusterIPs");
    return this.#refused(invalidValue(path, given, `failed to allocate IP ${ip}: provided IP is already allocated`));
  }

  #withNodePorts(spec: JsonObject, old: JsonObject | undefined): JsonObject {
    const type = stringField(spec, "type");
    if (type !== "NodePort" && type !== "LoadBalancer") return spec;
    const before = new Set(old === undefined ? [] : nodePortsOf(old));
    /** Ports of one number share their port on nodes, whatever their protocol. */
    const byNumber = new Map<number, number>();
    const seen = new Set<string>();
    const ports = objectsField(spec, "ports");
    const given = ports.map((port, index) => {
      const number = numberField(port, "port") ?? 0;
      const wanted = numberField(port, "nodePort") ?? 0;
      if (wanted === 0 && !wantsNodePorts(spec)) return port;
      const shared = old === undefined ? byNumber.get(number) : undefined;
      if (shared !== undefined && (wanted === 0 || wanted === shared)) return { ...port, nodePort: shared };
      const asked = wanted !== 0 || old !== undefined ? wanted : requestedFor(number, ports);
      const isOwn = before.has(asked) || (old !== undefined && this.#ports.taken.includes(asked));
      const nodePort = isOwn ? asked : this.#takePort(asked, index);
      if (old !== undefined) refuseRepeated(nodePort, stringField(port, "protocol"), seen);
      byNumber.set(number, nodePort);
      return { ...port, nodePort };
    });
    return given.length === 0 ? spec : withField(spec, "ports", given);
  }

  #takePort(wanted: number, index: number): number {
    if (wanted === 0) return this.#nextPort("nodePort");
    const path = specPath.child("ports").index(index).child("nodePort");
    const { pool } = this.#ports;
    if (!pool.has(wanted) && !this.#dryRun) {
      const why = `provided port is not in the valid range. The range of valid ports is ${pool.range}`;
      throw this.#refused(invalidValue(path, wanted, why));
    }
    if (!this.#ports.take(wanted)) {
      throw this.#refused(invalidValue(path, wanted, "provided port is already allocated"));
    }
    return wanted;
  }

  #withHealthCheckPort(spec: JsonObject, old: JsonObject | undefined): JsonObject {
    const isNew = needsHealthCheck(spec) && (old === undefined || !needsHealthCheck(old));
    if (!isNew) return spec;
    const wanted = numberField(spec, "healthCheckNodePort") ?? 0;
    if (wanted === 0) return { ...spec, healthCheckNodePort: this.#nextPort("HealthCheck NodePort") };
    const refused = (why: string): Error =>
      refusal("InternalError", `Internal error occurred: failed to allocate requested HealthCheck NodePort ${wanted}: ${why}`);
    if (!this.#ports.pool.has(wanted)) {
      throw refused(`provided port is not in the valid range. The range of valid ports is ${this.#ports.pool.range}`);
    }
    if (!this.#ports.take(wanted)) throw refused("provided port is already allocated");
    return spec;
  }

  #nextPort(what: string): number {
    const port = this.#dryRun ? this.#ports.pretend() : this.#ports.takeNext();
    if (port === undefined) throw this.#full(what, "range is full");
    return port;
  }

  #refused(error: FieldError): Error {
    return invalid({ group: "", kind: "Service" }, this.#service.name, [error]);
  }

  #full(what: string, why: string): Error {
    return refusal("InternalError", `Internal error occurred: failed to allocate a ${what} ${JSON.stringify(this.#service.name)}: ${why}`);
  }
}

/** The server notices this too late for a better answer. */
function refuseRepeated(nodePort: number, protocol: string, seen: Set<string>): void {
  const port = `{${protocol} ${nodePort}}`;
  if (seen.has(port)) throw refusal("", `duplicate nodePort: ${port}`);
  seen.add(port);
}

/** A port on nodes that was asked for, for any protocol of a port. */
function requestedFor(number: number, ports: readonly JsonObject[]): number {
  for (const port of ports) {
    const nodePort = numberField(port, "nodePort") ?? 0;
    if (numberField(port, "port") === number && nodePort !== 0) return nodePort;
  }
  return 0;
}
