import type { Column } from "@kaji/apiserver";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { mapPart, withoutFields } from "../field-defaults.ts";
import { numberField, objectField, objectsField, stringField, stringMapField, stringsField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { formatLabels } from "../labels-text.ts";
import { finalizerNameErrors, labelName } from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import type { NodeAccess } from "./node-access.ts";
import { createServiceAllocator, ipAddresses, ipsOf } from "./service-allocation.ts";
import type { ServiceHolds } from "./service-allocation.ts";
import { withoutNeedless } from "./service-continuity.ts";
import { defaultServiceSpec, defaultServiceStatus } from "./service-defaults.ts";
import { serviceProxy } from "./service-proxy.ts";
import { validateService, validateServiceStatus, validateServiceUpdate } from "./service-validation.ts";
import { serviceStatusWarnings, serviceWarnings } from "./service-warnings.ts";

/** Services of one server, which share its addresses and ports. */
export function serviceDetails(holds: ServiceHolds, nodes?: NodeAccess): KindDetails {
  return {
    storagePrefix: "/registry/services/specs/",
    strategy: {
      validateName: labelName,
      createOnUpdate: true,
      default: defaultService,
      reserve: createServiceAllocator(holds),
      prepareCreate: withoutNeedlessPolicy,
      prepareUpdate: (service, old) => {
        const changed = withoutNeedlessPolicy(mapPart(service, "spec", (spec) => withoutNeedless(spec, objectField(old, "spec"))));
        const isBalancer = stringField(objectField(changed, "spec"), "type") === "LoadBalancer";
        return isBalancer ? changed : mapPart(changed, "status", (status) => ({ ...status, loadBalancer: {} }));
      },
      validateCreate: (service) => [...finalizerNameErrors(service), ...validateService(service)],
      validateUpdate: validateServiceUpdate,
      warnings: serviceWarnings,
      companions: ({ metadata: { name, namespace }, ...service }) => [
        { resource: { group: "", plural: "endpoints" }, namespace, name },
        ...ipsOf(objectField(service, "spec")).map((ip) => ({ resource: ipAddresses, namespace: undefined, name: ip })),
      ],
    },
    status: { validateUpdate: validateServiceStatus, warnings: serviceStatusWarnings },
    columns: serviceColumns(),
    subresources: { proxy: serviceProxy(nodes) },
    selectableFields: {
      "spec.clusterIP": (service) => stringField(objectField(service, "spec"), "clusterIP"),
      "spec.type": (service) => stringField(objectField(service, "spec"), "type"),
    },
  };
}

function defaultService(service: DynamicObject): DynamicObject {
  const specified = mapPart(service, "spec", defaultServiceSpec);
  const type = stringField(objectField(specified, "spec"), "type");
  return mapPart(specified, "status", (status) => defaultServiceStatus(status, type));
}

/** An external name has no traffic within the cluster to have a policy for. */
function withoutNeedlessPolicy(service: DynamicObject): DynamicObject {
  const isExternal = stringField(objectField(service, "spec"), "type") === "ExternalName";
  return isExternal ? mapPart(service, "spec", (spec) => withoutFields(spec, "internalTrafficPolicy")) : service;
}

function serviceColumns(): readonly Column[] {
  const text = (name: string, description: string, cell: (spec: JsonObject, service: DynamicObject) => string): Column => ({
    name,
    type: "string",
    description,
    cell: (service) => cell(objectField(service, "spec"), service),
  });
  return [
    nameColumn,
    text("Type", "how it is reached", (spec) => stringField(spec, "type")),
    text("Cluster-IP", "its address within the cluster", (spec) => stringsField(spec, "clusterIPs")[0] ?? "<none>"),
    text("External-IP", "its address outside the cluster", externalIp),
    text("Port(s)", "its ports", shownPorts),
    ageColumn,
    { ...text("Selector", "which pods serve it", (spec) => formatLabels(stringMapField(spec, "selector"))), priority: 1 },
  ];
}

function externalIp(spec: JsonObject, service: DynamicObject): string {
  const external = stringsField(spec, "externalIPs");
  switch (stringField(spec, "type")) {
    case "ClusterIP":
    case "NodePort":
      return external.join(",") || "<none>";
    case "LoadBalancer": {
      const ingress = objectsField(objectField(objectField(service, "status"), "loadBalancer"), "ingress");
      const balanced = new Set(
        ingress.map((each) => stringField(each, "ip") || stringField(each, "hostname")).filter((each) => each !== ""),
      );
      return [...[...balanced].toSorted(), ...external].join(",") || "<pending>";
    }
    case "ExternalName":
      return stringField(spec, "externalName");
    default:
      return "<unknown>";
  }
}

function shownPorts(spec: JsonObject): string {
  const ports = objectsField(spec, "ports").map((port) => {
    const [number, nodePort] = [numberField(port, "port") ?? 0, numberField(port, "nodePort") ?? 0];
    return `${number}${nodePort > 0 ? `:${nodePort}` : ""}/${stringField(port, "protocol")}`;
  });
  return ports.join(",") || "<none>";
}
