import { structuralEqual } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { withField, withoutFields } from "../field-defaults.ts";
import { field, has, numberField, objectsField, stringField, stringsField } from "../json-fields.ts";
import { isExternallyAccessible, isLoadBalancer, needsClusterIp, needsHealthCheck, nodePortsOf, wantsNodePorts } from "./service-fields.ts";

/** Values that were given to a service when it was made stay, though an update that repeats its manifest does not name them. */
export function withAllocatedValues(given: JsonObject, old: JsonObject): JsonObject {
  let spec = given;
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (stringField(spec, "clusterIP") === "") spec = withValueOf(spec, old, "clusterIP");
    if (stringsField(spec, "clusterIPs").length === 0) spec = withValueOf(spec, old, "clusterIPs");
  }
  if (wantsNodePorts(old) && wantsNodePorts(spec)) spec = withOldNodePorts(spec, old);
  const needsCheck = needsHealthCheck(old) && needsHealthCheck(spec) && (numberField(spec, "healthCheckNodePort") ?? 0) === 0;
  return needsCheck ? withValueOf(spec, old, "healthCheckNodePort") : spec;
}

function withOldNodePorts(spec: JsonObject, old: JsonObject): JsonObject {
  const now = new Set(nodePortsOf(spec));
  const used = new Set(nodePortsOf(old).filter((port) => now.has(port)));
  const byName = new Map(objectsField(old, "ports").map((port) => [stringField(port, "name"), numberField(port, "nodePort") ?? 0]));
  const ports = objectsField(spec, "ports").map((port) => {
    const before = byName.get(stringField(port, "name")) ?? 0;
    const isOpen = (numberField(port, "nodePort") ?? 0) === 0 && before !== 0 && !used.has(before);
    return isOpen ? { ...port, nodePort: before } : port;
  });
  return ports.length === 0 ? spec : withField(spec, "ports", ports);
}

/** `clusterIPs` follow `clusterIP`, which older clients know alone. */
export function withClusterIps(spec: JsonObject, old: JsonObject | undefined): JsonObject {
  const [ip, before] = [stringField(spec, "clusterIP"), stringField(old, "clusterIP")];
  const ips = stringsField(spec, "clusterIPs");
  if (old === undefined) return ip !== "" && ips.length === 0 ? { ...spec, clusterIPs: [ip] } : spec;
  if (ips.length === 0 && ip === before) return withValueOf(spec, old, "clusterIPs");
  if (ip === before || !structuralEqual(field(spec, "clusterIPs"), field(old, "clusterIPs"))) return spec;
  return ip === "" ? withoutFields(spec, "clusterIPs") : { ...spec, clusterIPs: [ip] };
}

/** Fields that a service has only as long as it is of some sort, which are dropped together. */
const bound: readonly { readonly isNeeded: (spec: JsonObject) => boolean; readonly fields: readonly string[] }[] = [
  { isNeeded: needsClusterIp, fields: ["clusterIP", "clusterIPs"] },
  { isNeeded: needsClusterIp, fields: ["ipFamilies"] },
  { isNeeded: needsClusterIp, fields: ["ipFamilyPolicy"] },
  { isNeeded: needsHealthCheck, fields: ["healthCheckNodePort"] },
  { isNeeded: isLoadBalancer, fields: ["allocateLoadBalancerNodePorts"] },
  { isNeeded: isLoadBalancer, fields: ["loadBalancerClass"] },
  { isNeeded: isExternallyAccessible, fields: ["externalTrafficPolicy"] },
];

/** What a service does not need in its new type is dropped, unless the client changed it too, which is then refused. */
export function withoutNeedless(given: JsonObject, old: JsonObject): JsonObject {
  const isSame = (name: string): boolean => structuralEqual(field(given, name), field(old, name));
  const needless = bound.filter(({ isNeeded, fields }) => isNeeded(old) && !isNeeded(given) && fields.every(isSame));
  const spec = withoutFields(given, ...needless.flatMap(({ fields }) => fields));
  if (!dropsNodePorts(spec, old)) return spec;
  const ports = objectsField(spec, "ports").map((port) => withoutFields(port, "nodePort"));
  return withField(spec, "ports", ports);
}

function dropsNodePorts(spec: JsonObject, old: JsonObject): boolean {
  const usesNodePorts = (each: JsonObject): boolean => ["NodePort", "LoadBalancer"].includes(stringField(each, "type"));
  const before = nodePortsOf(old);
  return usesNodePorts(old) && !usesNodePorts(spec) && has(spec, "ports") && nodePortsOf(spec).every((port) => before.includes(port));
}

function withValueOf(spec: JsonObject, old: JsonObject, name: string): JsonObject {
  const value = field(old, name);
  return value === undefined ? spec : { ...spec, [name]: value };
}
