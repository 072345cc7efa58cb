import { FieldPath } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { cidrWarnings, ipWarnings } from "../ip-warnings.ts";
import { objectField, objectsField, stringField, stringsField } from "../json-fields.ts";

const specPath = FieldPath.of("spec");
const hintsAnnotation = "service.kubernetes.io/topology-aware-hints";

/** What the author of a service should know though it is allowed. */
export function serviceWarnings({ metadata, ...service }: DynamicObject): readonly string[] {
  const spec = objectField(service, "spec");
  const type = stringField(spec, "type");
  const isExternal = type === "ExternalName";
  const isHeadless = type === "ClusterIP" && stringField(spec, "clusterIP") === "None";
  const externalIps = stringsField(spec, "externalIPs");
  const hasExternalIps = externalIps.length > 0;
  const hasHints = Object.hasOwn(metadata.annotations ?? {}, hintsAnnotation);
  const ip = stringField(spec, "loadBalancerIP");
  const ranges = stringsField(spec, "loadBalancerSourceRanges");
  return [
    ...when(hasHints, `annotation ${hintsAnnotation} is deprecated, please use service.kubernetes.io/topology-mode instead`),
    ...addressesWarnings("clusterIPs", isHeadless ? [] : stringsField(spec, "clusterIPs")),
    ...when(isHeadless && ip !== "", "spec.loadBalancerIP is ignored for headless services"),
    ...when(isHeadless && hasExternalIps, "spec.externalIPs is ignored for headless services"),
    ...when(isHeadless && stringField(spec, "sessionAffinity") !== "None", "spec.SessionAffinity is ignored for headless services"),
    ...addressesWarnings("externalIPs", externalIps),
    ...when(
      hasExternalIps && !isHeadless && !isExternal,
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ),
    ...ipWarnings(specPath.child("loadBalancerIP"), ip),
    ...ranges.flatMap((range, index) => cidrWarnings(specPath.child("loadBalancerSourceRanges").index(index), range)),
    ...when(isExternal && hasExternalIps, 'spec.externalIPs is ignored when spec.type is "ExternalName"'),
    ...when(!isExternal && stringField(spec, "externalName") !== "", 'spec.externalName is ignored when spec.type is not "ExternalName"'),
    ...when(
      stringField(spec, "trafficDistribution") === "PreferClose",
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ),
  ];
}

/** Warnings on a write to the status of a service. */
export function serviceStatusWarnings(service: DynamicObject): readonly string[] {
  const balancer: JsonObject = objectField(objectField(service, "status"), "loadBalancer");
  const path = FieldPath.of("status", "loadBalancer", "ingress");
  return objectsField(balancer, "ingress").flatMap((ingress, index) => ipWarnings(path.index(index), stringField(ingress, "ip")));
}

function when(isSo: boolean, warning: string): readonly string[] {
  return isSo ? [warning] : [];
}

function addressesWarnings(name: string, addresses: readonly string[]): readonly string[] {
  return addresses.flatMap((address, index) => ipWarnings(specPath.child(name).index(index), address));
}
