import type { DynamicObject, JsonObject } from "@kaji/core";
import { mapField, mapItems, mapPart, withPresence } from "../field-defaults.ts";
import { booleanField, field, numberField, objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { containerTotals, isHugePages, isPodLevelResource } from "./pod-resources.ts";
import { defaultPodSpec } from "./pod-spec-defaults.ts";
import { defaultResourceList, defaultResources } from "./resource-list.ts";

/** Fills in what a pod leaves out: more than a template gets, which must not change when its pods' defaults do. */
export function defaultPod(pod: DynamicObject): DynamicObject {
  return mapPart(mapPart(pod, "spec", defaultSpec), "status", defaultPodStatus);
}

function defaultSpec(given: JsonObject): JsonObject {
  let spec = given;
  for (const list of ["containers", "initContainers"]) {
    spec = mapItems(spec, list, (container) => mapField(container, "resources", requestsFromLimits));
  }
  spec = mapField(spec, "resources", (resources) => podRequests(spec, hugePageLimits(spec, resources)));
  spec = withPresence(spec, { enableServiceLinks: true });
  if (booleanField(spec, "hostNetwork")) {
    for (const list of ["containers", "initContainers"])
      spec = mapItems(spec, list, (container) => mapItems(container, "ports", withHostPort));
  }
  spec = defaultPodSpec(spec);
  return (numberField(spec, "terminationGracePeriodSeconds") ?? 0) < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}

/** What a container is limited to is also what it asks for, unless it says otherwise. */
function requestsFromLimits(resources: JsonObject): JsonObject {
  const limits = optionalObject(resources, "limits");
  return limits === undefined ? resources : { ...resources, requests: { ...limits, ...optionalObject(resources, "requests") } };
}

/** Huge pages cannot be had beyond a limit, so the pod's limit is that of its containers together. */
function hugePageLimits(spec: JsonObject, resources: JsonObject): JsonObject {
  const limits = objectField(resources, "limits");
  const requests = objectField(resources, "requests");
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return resources;
  const missing = [...containerTotals(spec, "limits")].filter(([name]) => isHugePages(name) && !(name in requests) && !(name in limits));
  if (missing.length === 0) return resources;
  return { ...resources, limits: { ...limits, ...Object.fromEntries(missing.map(([name, amount]) => [name, amount.toString()])) } };
}

/** A pod that is limited as a whole asks for what its containers ask for, or else for its limit. */
function podRequests(spec: JsonObject, resources: JsonObject): JsonObject {
  const limits = objectField(resources, "limits");
  if (Object.keys(limits).length === 0) return resources;
  const ofContainers = [...containerTotals(spec, "requests")].filter(([name]) => isPodLevelResource(name) && !isHugePages(name));
  const requests = {
    ...Object.fromEntries(Object.entries(limits).filter(([name]) => isPodLevelResource(name))),
    ...Object.fromEntries(ofContainers.map(([name, amount]) => [name, amount.toString()])),
    ...objectField(resources, "requests"),
  };
  return Object.keys(requests).length === 0 ? resources : { ...resources, requests };
}

/** On the network of its node, a container's port is the node's. */
function withHostPort(port: JsonObject): JsonObject {
  return (numberField(port, "hostPort") ?? 0) === 0 ? { ...port, hostPort: field(port, "containerPort") ?? 0 } : port;
}

function defaultPodStatus(given: JsonObject): JsonObject {
  let status = given;
  for (const list of ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"]) {
    status = mapItems(status, list, (each) =>
      mapField(mapField(each, "allocatedResources", defaultResourceList), "resources", defaultResources),
    );
  }
  return withPodIps(mapField(mapField(status, "allocatedResources", defaultResourceList), "resources", defaultResources));
}

/** `podIP` is the first of `podIPs`; where both are given and differ, the single one is right. */
function withPodIps(status: JsonObject): JsonObject {
  const podIp = stringField(status, "podIP");
  const [first] = objectsField(status, "podIPs");
  if (podIp !== "" && stringField(first, "ip") !== podIp) return { ...status, podIPs: [{ ip: podIp }] };
  return podIp === "" && first !== undefined ? { ...status, podIP: stringField(first, "ip") } : status;
}
