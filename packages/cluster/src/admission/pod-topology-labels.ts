import type { AdmissionPlugin } from "@kaji/apiserver";
import type { DynamicObject } from "@kaji/core";
import { objectField, stringField } from "../kinds/json-fields.ts";
import type { StoredObjects } from "./stored-objects.ts";

/** The labels by which a node says where it is. */
const topologyLabels = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** Labels pods with the zone and the region of their node, when they are bound to it or are made for it. */
export function podTopologyLabels(objects: StoredObjects): AdmissionPlugin {
  const labelled = (object: DynamicObject, nodeName: string): DynamicObject => {
    const present = nodeName === "" ? undefined : objects.get(`/registry/minions/${nodeName}`)?.metadata.labels;
    const copied = Object.entries(present ?? {}).filter(([key]) => topologyLabels.includes(key));
    if (copied.length === 0) return object;
    const { metadata } = object;
    return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...Object.fromEntries(copied) } } };
  };
  return {
    name: "PodTopologyLabels",
    resources: ["/pods"],
    mutate: ({ operation, target: { subresource }, object }) => {
      if (operation !== "CREATE") return object;
      if (subresource === undefined) return labelled(object, stringField(objectField(object, "spec"), "nodeName"));
      if (subresource !== "binding") return object;
      const node = objectField(object, "target");
      // The labels of a binding become those of its pod.
      return stringField(node, "kind") === "Node" ? labelled(object, stringField(node, "name")) : object;
    },
  };
}
