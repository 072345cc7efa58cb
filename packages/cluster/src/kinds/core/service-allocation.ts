import type { Reservation, StrategyContext } from "@kaji/apiserver";
import { FieldPath, invalid, invalidValue, refusal } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { withField } from "../field-defaults.ts";
import { numberField, objectField, objectsField, stringField, stringsField } from "../json-fields.ts";
import { isDryRun } from "../dry-run.ts";
import type { HeldByServices } from "./held-by-services.ts";
import { Reservations, nodePorts } from "./scarce-pool.ts";
import type { Hand } from "./scarce-pool.ts";
import { isHeadless, needsClusterIp, needsHealthCheck, nodePortsOf, wantsNodePorts } from "./service-fields.ts";
import { withIpFamilies } from "./service-families.ts";
import { withAllocatedValues, withClusterIps } from "./service-continuity.ts";
import { serviceIps } from "./service-range.ts";

const specPath = FieldPath.of("spec");
const serviceCidrs = { group: "networking.k8s.io", plural: "servicecidrs" };

/** Gives services their addresses and ports. */
export type ServiceAllocator = (service: DynamicObject, old: DynamicObject | undefined, context: StrategyContext) => Reservation;

/** Makes the allocator of one server. */
export function createServiceAllocator(held: HeldByServices): ServiceAllocator {
  const ips = new Reservations<string>();
  const ports = new Reservations<number>();
  return (service, old, { objects, request }) => {
    const allocation = new Allocation(
      service.metadata.name,
      ips.open(serviceIps(objects.list(serviceCidrs)), (ip) => held.hasIp(ip)),
      ports.open(nodePorts, (port) => held.hasPort(port)),
      isDryRun(request),
    );
    try {
      const spec = allocation.give(objectField(service, "spec"), old === undefined ? undefined : objectField(old, "spec"));
      return { object: { ...service, spec }, settle: () => allocation.settle() };
    } catch (error) {
      allocation.settle();
      throw error;
    }
  };
}

/** What one write of a service takes. */
class Allocation {
  readonly #name: string;
  readonly #ips: Hand<string>;
  readonly #ports: Hand<number>;
  /** Made-up values are shown for what would be taken. */
  readonly #dryRun: boolean;

  constructor(name: string, ips: Hand<string>, ports: Hand<number>, dryRun: boolean) {
    this.#name = name;
    this.#ips = ips;
    this.#ports = ports;
    this.#dryRun = dryRun;
  }

  give(given: JsonObject, old: JsonObject | undefined): JsonObject {
    const continued = withClusterIps(old === undefined ? given : withAllocatedValues(given, old), old);
    const spec = this.#withIps(withIpFamilies(continued, old, this.#name), old);
    return this.#withHealthCheckPort(this.#withNodePorts(spec, old), old);
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
    if (!this.#ips.take(wanted)) {
      throw this.#refused(invalidValue(path, given, `failed to allocate IP ${wanted}: provided IP is already allocated`));
    }
    return wanted;
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
    return invalid({ group: "", kind: "Service" }, this.#name, [error]);
  }

  #full(what: string, why: string): Error {
    return refusal("InternalError", `Internal error occurred: failed to allocate a ${what} ${JSON.stringify(this.#name)}: ${why}`);
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
