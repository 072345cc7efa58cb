import type { Column } from "@kaji/apiserver";
import { FieldPath } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { mapField, mapPart, withoutFields } from "../field-defaults.ts";
import { cidrWarnings } from "../ip-warnings.ts";
import { booleanField, field, has, objectField, objectsField, stringField, stringsField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataErrorsAgain, subdomainName } from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import type { NodeAccess } from "./node-access.ts";
import { nodeProxy } from "./node-proxy.ts";
import { validateNode, validateNodeUpdate } from "./node-validation.ts";
import { defaultResourceList } from "./resource-list.ts";

/** Nodes. Unlike other kinds they may be created with a status, since a kubelet registers itself. */
export function nodeDetails(nodes: NodeAccess | undefined): KindDetails {
  return { ...details, subresources: { proxy: nodeProxy(nodes) } };
}

const details: KindDetails = {
  storagePrefix: "/registry/minions/",
  takesStatus: true,
  strategy: {
    validateName: subdomainName,
    resetFields: [["status"]],
    default: (node) => mapPart(mapPart(node, "spec", withPodCidrs), "status", defaultStatus),
    prepareCreate: (node) => withoutConfig(withoutConfigSource(node)),
    prepareUpdate: (node, old) => withStatusOf(has(objectField(old, "spec"), "configSource") ? node : withoutConfigSource(node), old),
    validateCreate: (node) => [...finalizerNameErrors(node), ...validateNode(node)],
    validateUpdate: (node, old) => [...metadataErrorsAgain(node, subdomainName), ...validateNode(node), ...validateNodeUpdate(node, old)],
    warnings: (node) => warnings(objectField(node, "spec")),
  },
  status: {
    validateUpdate: validateNodeUpdate,
    prepareUpdate: (node, old) => (has(objectField(old, "status"), "config") ? node : withoutConfig(node)),
  },
  columns: nodeColumns(),
  selectableFields: { "spec.unschedulable": (node) => String(booleanField(objectField(node, "spec"), "unschedulable")) },
};

/** `podCIDR` is the first of `podCIDRs`; where both are given and differ, the single one is right. */
function withPodCidrs(spec: JsonObject): JsonObject {
  const single = stringField(spec, "podCIDR");
  const [first] = stringsField(spec, "podCIDRs");
  if (single !== "" && single !== first) return { ...spec, podCIDRs: [single] };
  return single === "" && first !== undefined ? { ...spec, podCIDR: first } : spec;
}

/** All that a node has may be used, unless it says otherwise. */
function defaultStatus(status: JsonObject): JsonObject {
  const capacity = field(status, "capacity");
  const allocatable = has(status, "allocatable") || capacity === undefined ? status : { ...status, allocatable: capacity };
  return mapField(mapField(allocatable, "capacity", defaultResourceList), "allocatable", defaultResourceList);
}

function withoutConfigSource(node: DynamicObject): DynamicObject {
  return mapPart(node, "spec", (spec) => withoutFields(spec, "configSource"));
}

function withoutConfig(node: DynamicObject): DynamicObject {
  return mapPart(node, "status", (status) => withoutFields(status, "config"));
}

function withStatusOf(node: DynamicObject, old: DynamicObject): DynamicObject {
  return { ...node, status: old["status"] };
}

function warnings(spec: JsonObject): readonly string[] {
  return [
    ...(has(spec, "configSource") ? ["spec.configSource: the feature is removed"] : []),
    ...(stringField(spec, "externalID") === "" ? [] : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...stringsField(spec, "podCIDRs").flatMap((range, index) => cidrWarnings(FieldPath.of("spec", "podCIDRs").index(index), range)),
  ];
}

function nodeColumns(): readonly Column[] {
  const info = (node: DynamicObject, name: string): string => stringField(objectField(objectField(node, "status"), "nodeInfo"), name);
  const wide = (name: string, description: string, cell: (node: DynamicObject) => string): Column => ({
    name,
    type: "string",
    priority: 1,
    description,
    cell,
  });
  return [
    nameColumn,
    { name: "Status", type: "string", description: "whether it is ready for pods", cell: readiness },
    { name: "Roles", type: "string", description: "what it is for", cell: (node) => rolesOf(node).join(",") || "<none>" },
    ageColumn,
    { name: "Version", type: "string", description: "the version of its kubelet", cell: (node) => info(node, "kubeletVersion") },
    wide("Internal-IP", "its address within the cluster", (node) => addressOf(node, "InternalIP")),
    wide("External-IP", "its address outside the cluster", (node) => addressOf(node, "ExternalIP")),
    wide("OS-Image", "its operating system", (node) => info(node, "osImage") || "<unknown>"),
    wide("Kernel-Version", "its kernel", (node) => {
      const architecture = info(node, "architecture");
      return (info(node, "kernelVersion") || "<unknown>") + (architecture === "" ? "" : ` (${architecture})`);
    }),
    wide("Container-Runtime", "what runs its containers", (node) => info(node, "containerRuntimeVersion") || "<unknown>"),
  ];
}

function readiness(node: DynamicObject): string {
  const ready = objectsField(objectField(node, "status"), "conditions").findLast((each) => stringField(each, "type") === "Ready");
  const state = ready === undefined ? "Unknown" : stringField(ready, "status") === "True" ? "Ready" : "NotReady";
  return booleanField(objectField(node, "spec"), "unschedulable") ? `${state},SchedulingDisabled` : state;
}

const rolePrefix = "node-role.kubernetes.io/";

function rolesOf({ metadata }: DynamicObject): readonly string[] {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === "kubernetes.io/role" ? value : "";
  });
  return [...new Set(roles)].filter((role) => role !== "").toSorted();
}

function addressOf(node: DynamicObject, type: string): string {
  const addresses = objectsField(objectField(node, "status"), "addresses");
  const address = addresses.find((each) => stringField(each, "type") === type);
  return address === undefined ? "<none>" : stringField(address, "address");
}
