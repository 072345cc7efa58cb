import { FieldPath, duplicate, forbiddenField, invalidValue, required, validateLabels } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { labelErrors, oneOf, optionalOneOf, qualifiedErrors, subdomainErrors } from "../field-rules.ts";
import { endpointIpErrors, ipErrors, parseIp } from "../ip-address.ts";
import { cidrErrors } from "../ip-range.ts";
import {
  field,
  has,
  numberField,
  objectField,
  objectsField,
  optionalObject,
  stringField,
  stringMapField,
  stringsField,
} from "../json-fields.ts";
import { metadataUpdateErrors } from "../metadata-validation.ts";
import { portNumberProblems } from "../scalar-rules.ts";
import { portProtocols } from "./container-validation.ts";
import { validatePort } from "./probe-validation.ts";
import { isExternallyAccessible, isHeadless, needsHealthCheck } from "./service-fields.ts";
import { serviceChangeErrors } from "./service-change-validation.ts";

const specPath = FieldPath.of("spec");
const portsPath = specPath.child("ports");
const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** What is wrong with a service. */
export function validateService(service: DynamicObject, old?: DynamicObject): readonly FieldError[] {
  const spec = objectField(service, "spec");
  const oldSpec = old === undefined ? undefined : objectField(old, "spec");
  const ports = objectsField(spec, "ports");
  const isPortless = ports.length === 0 && !isHeadless(spec) && stringField(spec, "type") !== "ExternalName";
  return [
    ...(isPortless ? [required(portsPath)] : []),
    ...typeErrors(spec),
    ...portErrors(ports),
    ...validateLabels(stringMapField(spec, "selector"), specPath.child("selector")),
    ...affinityErrors(spec),
    ...validateClusterIps(spec, oldSpec),
    ...externalIpErrors(spec, oldSpec),
    ...oneOf(stringField(spec, "type"), ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"], specPath.child("type")),
    ...nodePortErrors(spec),
    ...repeatedPortErrors(ports),
    ...sourceRangeErrors(service, old),
    ...loadBalancerErrors(spec),
    ...externalTrafficErrors(spec),
    ...internalTrafficErrors(spec),
    ...optionalOneOf(spec, "trafficDistribution", ["PreferClose", "PreferSameZone", "PreferSameNode"], specPath),
  ];
}

/** What is wrong with a changed service. */
export function validateServiceUpdate(service: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectField(service, "spec"), objectField(old, "spec")];
  return [...metadataUpdateErrors(service, old), ...serviceChangeErrors(spec, oldSpec), ...validateService(service, old)];
}

/** What is wrong with the addresses of a service, and their families. */
export function validateClusterIps(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  if (stringField(spec, "type") === "ExternalName") return [];
  const path = specPath.child("clusterIPs");
  const [ip, ips, families] = [stringField(spec, "clusterIP"), stringsField(spec, "clusterIPs"), stringsField(spec, "ipFamilies")];
  const errors = [...agreementErrors(ip, ips, path), ...familyErrors(families)];
  if (has(spec, "ipFamilyPolicy")) {
    errors.push(...optionalOneOf(spec, "ipFamilyPolicy", ["PreferDualStack", "RequireDualStack", "SingleStack"], specPath));
  }
  const before = stringsField(old, "clusterIPs");
  const wrong = ips.flatMap((each, index) => {
    if (index > 0 || each !== "None") return ipErrors(path.index(index), each, before);
    return ips.length > 1 ? [invalidValue(path, ips, "'None' must be the first and only value")] : [];
  });
  errors.push(...wrong);
  if (ips.length > 2) errors.push(invalidValue(path, ips, "may only hold up to 2 values"));
  if (wrong.length > 0) return errors;
  const kinds = ips.map((each) => parseIp(each)?.family);
  if (ips.length > 1 && new Set(kinds).size < 2) errors.push(invalidValue(path, ips, "may specify no more than one IP for each IP family"));
  if (isHeadless(spec)) return errors;
  for (const [index, each] of ips.entries()) {
    const expected = families[index];
    if (expected === undefined || kinds[index] === expected || !["IPv4", "IPv6"].includes(expected)) continue;
    errors.push(invalidValue(path.index(index), each, `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``));
  }
  return errors;
}

function agreementErrors(ip: string, ips: readonly string[], path: FieldPath): readonly FieldError[] {
  if (ip === "") return ips.length === 0 ? [] : [invalidValue(path, ips, "must be empty when `clusterIP` is not specified")];
  if (ips.length === 0) return [required(path)];
  return ips[0] === ip ? [] : [invalidValue(path, ips, "first value must match `clusterIP`")];
}

function familyErrors(families: readonly string[]): readonly FieldError[] {
  const path = specPath.child("ipFamilies");
  return families.flatMap((family, index) => [
    ...(family === "IPv4" || family === "IPv6" ? [] : [notEnumerated(path.index(index), family, ["IPv4", "IPv6"])]),
    ...(families.indexOf(family) < index ? [duplicate(path.index(index), family)] : []),
  ]);
}

function typeErrors(spec: JsonObject): readonly FieldError[] {
  const type = stringField(spec, "type");
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    return [invalidValue(specPath.child("clusterIPs").index(0), "None", `may not be set to 'None' for ${type} services`)];
  }
  if (type !== "ExternalName") return [];
  const why = "may not be set for ExternalName services";
  const name = stringField(spec, "externalName").replace(/\.$/, "");
  return [
    ...(stringsField(spec, "clusterIPs").length === 0 ? [] : [forbiddenField(specPath.child("clusterIPs"), why)]),
    ...(stringsField(spec, "ipFamilies").length === 0 ? [] : [forbiddenField(specPath.child("ipFamilies"), why)]),
    ...(has(spec, "ipFamilyPolicy") ? [forbiddenField(specPath.child("ipFamilyPolicy"), why)] : []),
    ...(name === "" ? [required(specPath.child("externalName"))] : subdomainErrors(name, specPath.child("externalName"))),
  ];
}

function portErrors(ports: readonly JsonObject[]): readonly FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = portsPath.index(index);
    const name = stringField(port, "name");
    const number = numberField(port, "port") ?? 0;
    const errors: FieldError[] = [];
    if (name === "") {
      if (ports.length > 1) errors.push(required(path.child("name")));
    } else {
      errors.push(...labelErrors(name, path.child("name")));
      if (names.has(name)) errors.push(duplicate(path.child("name"), name));
      names.add(name);
    }
    errors.push(...portNumberProblems(number).map((problem) => invalidValue(path.child("port"), number, problem)));
    errors.push(...oneOf(stringField(port, "protocol"), portProtocols, path.child("protocol")));
    errors.push(...validatePort(field(port, "targetPort") ?? 0, path.child("targetPort")));
    return has(port, "appProtocol") ? [...errors, ...qualifiedErrors(stringField(port, "appProtocol"), path.child("appProtocol"))] : errors;
  });
}

const longestAffinitySeconds = 86_400;

function affinityErrors(spec: JsonObject): readonly FieldError[] {
  const affinity = stringField(spec, "sessionAffinity");
  const path = specPath.child("sessionAffinityConfig");
  const errors = [...oneOf(affinity, ["ClientIP", "None"], specPath.child("sessionAffinity"))];
  if (affinity === "None" && has(spec, "sessionAffinityConfig")) {
    return [...errors, forbiddenField(path, "must not be set when session affinity is None")];
  }
  if (affinity !== "ClientIP") return errors;
  const seconds = numberField(optionalObject(optionalObject(spec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds");
  if (seconds === undefined || (seconds > 0 && seconds <= longestAffinitySeconds)) return errors;
  const rule = `must be greater than 0 and less than ${longestAffinitySeconds}`;
  return [...errors, invalidValue(path.child("clientIP", "timeoutSeconds"), seconds, rule)];
}

function externalIpErrors(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const before = stringsField(old, "externalIPs");
  return stringsField(spec, "externalIPs").flatMap((ip, index) => {
    const path = specPath.child("externalIPs").index(index);
    const errors = ipErrors(path, ip, before);
    return errors.length > 0 ? errors : endpointIpErrors(ip, path);
  });
}

function nodePortErrors(spec: JsonObject): readonly FieldError[] {
  const ports = objectsField(spec, "ports");
  const nodePortOf = (port: JsonObject): number => numberField(port, "nodePort") ?? 0;
  const misplaced = ports.flatMap((port, index) => {
    if (stringField(spec, "type") !== "ClusterIP" || nodePortOf(port) === 0) return [];
    return [forbiddenField(portsPath.index(index).child("nodePort"), "may not be used when `type` is 'ClusterIP'")];
  });
  const seen = new Set<string>();
  const repeated = ports.flatMap((port, index) => {
    const nodePort = nodePortOf(port);
    const key = `${stringField(port, "protocol")}/${nodePort}`;
    const isAgain = nodePort !== 0 && seen.has(key);
    seen.add(key);
    return isAgain ? [duplicate(portsPath.index(index).child("nodePort"), nodePort)] : [];
  });
  return [...misplaced, ...repeated];
}

function repeatedPortErrors(ports: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const [protocol, number] = [stringField(port, "protocol"), numberField(port, "port") ?? 0];
    const isAgain = seen.has(`${protocol}/${number}`);
    seen.add(`${protocol}/${number}`);
    if (!isAgain) return [];
    // The server shows the port in its internal form, stripped to what is compared.
    return [
      duplicate(portsPath.index(index), { Name: "", Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 }),
    ];
  });
}

function sourceRangeErrors(service: DynamicObject, old: DynamicObject | undefined): readonly FieldError[] {
  const spec = objectField(service, "spec");
  const ranges = stringsField(spec, "loadBalancerSourceRanges");
  const isBalancer = stringField(spec, "type") === "LoadBalancer";
  const why = "may only be used when `type` is 'LoadBalancer'";
  if (ranges.length > 0) {
    const path = specPath.child("LoadBalancerSourceRanges");
    const before = stringsField(objectField(old, "spec"), "loadBalancerSourceRanges").map((range) => range.trim());
    return [
      ...(isBalancer ? [] : [forbiddenField(path, why)]),
      ...ranges.flatMap((range, index) => cidrErrors(path.index(index), range.trim(), before)),
    ];
  }
  const annotation = service.metadata.annotations?.[rangesAnnotation];
  if (annotation === undefined) return [];
  const path = FieldPath.of("metadata", "annotations").key(rangesAnnotation);
  const isSame = old?.metadata.annotations?.[rangesAnnotation] === annotation;
  const given = isSame || annotation.trim() === "" ? [] : annotation.split(",");
  return [...(isBalancer ? [] : [forbiddenField(path, why)]), ...given.flatMap((range) => cidrErrors(path, range.trim()))];
}

function loadBalancerErrors(spec: JsonObject): readonly FieldError[] {
  const isBalancer = stringField(spec, "type") === "LoadBalancer";
  const why = "may only be used when `type` is 'LoadBalancer'";
  const classPath = specPath.child("loadBalancerClass");
  const allocates = has(spec, "allocateLoadBalancerNodePorts");
  const errors: FieldError[] = [];
  if (allocates && !isBalancer) errors.push(forbiddenField(specPath.child("allocateLoadBalancerNodePorts"), why));
  if (!allocates && isBalancer) errors.push(required(FieldPath.of("allocateLoadBalancerNodePorts")));
  if (!has(spec, "loadBalancerClass")) return errors;
  return [
    ...errors,
    ...(isBalancer ? qualifiedErrors(stringField(spec, "loadBalancerClass"), classPath) : [forbiddenField(classPath, why)]),
  ];
}

function externalTrafficErrors(spec: JsonObject): readonly FieldError[] {
  const path = specPath.child("externalTrafficPolicy");
  const policy = stringField(spec, "externalTrafficPolicy");
  const errors: FieldError[] = [];
  if (isExternallyAccessible(spec)) errors.push(...oneOf(policy, ["Cluster", "Local"], path));
  else if (policy !== "") errors.push(invalidValue(path, policy, "may only be set for externally-accessible services"));
  const checkPath = specPath.child("healthCheckNodePort");
  const port = numberField(spec, "healthCheckNodePort") ?? 0;
  if (!needsHealthCheck(spec)) {
    const rule = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    return port === 0 ? errors : [...errors, invalidValue(checkPath, port, rule)];
  }
  if (port === 0) return [...errors, required(checkPath)];
  return [...errors, ...portNumberProblems(port).map((problem) => invalidValue(checkPath, port, problem))];
}

function internalTrafficErrors(spec: JsonObject): readonly FieldError[] {
  const isNeeded = ["NodePort", "LoadBalancer", "ClusterIP"].includes(stringField(spec, "type"));
  if (!has(spec, "internalTrafficPolicy")) return isNeeded ? [required(specPath.child("internalTrafficPolicy"))] : [];
  return optionalOneOf(spec, "internalTrafficPolicy", ["Cluster", "Local"], specPath);
}

/** What is wrong with a changed `status` of a service. */
export function validateServiceStatus(service: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("status", "loadBalancer", "ingress");
  const ingressOf = (object: DynamicObject): readonly JsonObject[] =>
    objectsField(objectField(objectField(object, "status"), "loadBalancer"), "ingress");
  const errors = [...metadataUpdateErrors(service, old)];
  const ingress = ingressOf(service);
  if (stringField(objectField(service, "spec"), "type") !== "LoadBalancer" && ingress.length > 0) {
    return [...errors, forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const before = ingressOf(old).map((each) => stringField(each, "ip"));
  return [...errors, ...ingress.flatMap((each, index) => ingressErrors(each, before, path.index(index)))];
}

function ingressErrors(ingress: JsonObject, before: readonly string[], path: FieldPath): readonly FieldError[] {
  const [ip, hostname] = [stringField(ingress, "ip"), stringField(ingress, "hostname")];
  const errors = ip === "" ? [] : [...ipErrors(path.child("ip"), ip, before)];
  if (!has(ingress, "ipMode")) {
    if (ip !== "") errors.push(required(path.child("ipMode"), "must be specified when `ip` is set"));
  } else if (ip === "") errors.push(forbiddenField(path.child("ipMode"), "may not be specified when `ip` is not set"));
  else errors.push(...optionalOneOf(ingress, "ipMode", ["Proxy", "VIP"], path));
  if (hostname === "") return errors;
  errors.push(...subdomainErrors(hostname, path.child("hostname")));
  return parseIp(hostname) === undefined
    ? errors
    : [...errors, invalidValue(path.child("hostname"), hostname, "must be a DNS name, not an IP address")];
}
