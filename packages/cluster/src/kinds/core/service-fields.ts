import type { JsonObject } from "@kaji/core";
import { field, numberField, objectsField, stringField, stringsField } from "../json-fields.ts";

/** Whether traffic from outside the cluster reaches a service. */
export function isExternallyAccessible(spec: JsonObject): boolean {
  const type = stringField(spec, "type");
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && stringsField(spec, "externalIPs").length > 0);
}

/** Whether a load balancer must be told which nodes have pods of the service. */
export function needsHealthCheck(spec: JsonObject): boolean {
  return isLoadBalancer(spec) && stringField(spec, "externalTrafficPolicy") === "Local";
}

/** Whether a load balancer outside the cluster is asked for. */
export function isLoadBalancer(spec: JsonObject): boolean {
  return stringField(spec, "type") === "LoadBalancer";
}

/** Whether a service has an address of its own, or has said that it wants none. */
export function needsClusterIp(spec: JsonObject): boolean {
  return stringField(spec, "type") !== "ExternalName";
}

/** Whether a service has said that it wants no address. */
export function isHeadless(spec: JsonObject): boolean {
  const [first, ...others] = stringsField(spec, "clusterIPs");
  return first === "None" && others.length === 0;
}

/** The ports that a service has on every node. */
export function nodePortsOf(spec: JsonObject): readonly number[] {
  return objectsField(spec, "ports").flatMap((port) => {
    const number = numberField(port, "nodePort") ?? 0;
    return number === 0 ? [] : [number];
  });
}

/** All that a service has taken on every node, for its traffic and for health checks. */
export function takenNodePorts(spec: JsonObject): readonly number[] {
  const healthCheck = numberField(spec, "healthCheckNodePort") ?? 0;
  return healthCheck === 0 ? nodePortsOf(spec) : [...nodePortsOf(spec), healthCheck];
}

/** Whether every port of a service is to be had on every node. */
export function wantsNodePorts(spec: JsonObject): boolean {
  const type = stringField(spec, "type");
  return type === "NodePort" || (type === "LoadBalancer" && field(spec, "allocateLoadBalancerNodePorts") !== false);
}
