import type { JsonObject } from "@kaji/core";
import { mapField, mapItems, withDefaults, withPresence, withoutFields } from "../field-defaults.ts";
import { field, has, numberField, objectField, stringField } from "../json-fields.ts";
import { isExternallyAccessible } from "./service-fields.ts";

/** Three hours. */
const affinitySeconds = 10_800;

/** Fills in what the `spec` of a service leaves out. */
export function defaultServiceSpec(given: JsonObject): JsonObject {
  let spec = withDefaults(given, { sessionAffinity: "None", type: "ClusterIP" });
  spec = withAffinityConfig(spec);
  spec = mapItems(spec, "ports", defaultPort);
  const type = stringField(spec, "type");
  if (isExternallyAccessible(spec)) spec = withDefaults(spec, { externalTrafficPolicy: "Cluster" });
  if (["NodePort", "LoadBalancer", "ClusterIP"].includes(type)) spec = withPresence(spec, { internalTrafficPolicy: "Cluster" });
  return type === "LoadBalancer" ? withPresence(spec, { allocateLoadBalancerNodePorts: true }) : spec;
}

/** Fills in the `status` of a service of this type. */
export function defaultServiceStatus(status: JsonObject, type: string): JsonObject {
  if (type !== "LoadBalancer") return status;
  return mapField(status, "loadBalancer", (balancer) =>
    mapItems(balancer, "ingress", (ingress) => (stringField(ingress, "ip") === "" ? ingress : withPresence(ingress, { ipMode: "VIP" }))),
  );
}

function withAffinityConfig(spec: JsonObject): JsonObject {
  const affinity = stringField(spec, "sessionAffinity");
  if (affinity === "None") return has(spec, "sessionAffinityConfig") ? withoutFields(spec, "sessionAffinityConfig") : spec;
  const clientIp = objectField(objectField(spec, "sessionAffinityConfig"), "clientIP");
  if (affinity !== "ClientIP" || has(clientIp, "timeoutSeconds")) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: affinitySeconds } } };
}

function defaultPort(port: JsonObject): JsonObject {
  const target = field(port, "targetPort");
  const isTargeted = target !== undefined && target !== 0 && target !== "";
  const protocol = withDefaults(port, { protocol: "TCP" });
  return isTargeted ? protocol : { ...protocol, targetPort: numberField(port, "port") ?? 0 };
}
