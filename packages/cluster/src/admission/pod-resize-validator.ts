import type { AdmissionPlugin, AdmissionRequest } from "@kaji/apiserver";
import { Quantity, refusal, structuralEqual } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { podTotals } from "../kinds/core/pod-resources.ts";
import { resourceList } from "../kinds/core/resource-list.ts";
import { objectField, stringField } from "../kinds/json-fields.ts";
import { refusedObject } from "./refused-object.ts";
import type { StoredObjects } from "./stored-objects.ts";

const osLabel = "kubernetes.io/os";

/** Lets no pod ask its node for more than that could ever give. Whether it has that at the moment is for the kubelet to see. */
export function podResizeValidator(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "PodResizeValidator",
    resources: ["/pods"],
    validate: (request) => {
      const { operation, target, object, oldObject } = request;
      if (operation !== "UPDATE" || target.subresource !== "resize") return;
      const spec = objectField(object, "spec");
      const nodeName = stringField(spec, "nodeName");
      if (nodeName === "" || structuralEqual(spec, objectField(oldObject, "spec"))) return;
      const node = objects.get(`/registry/minions/${nodeName}`);
      if (node === undefined) throw refusedObject(request, `node "${nodeName}" not found`);
      const os = node.metadata.labels?.[osLabel] ?? "linux";
      if (os !== "linux") {
        const why = `pod resize is only supported on linux nodes, node "${nodeName}" is "${os}"`;
        throw refusedResize(request, why, "UnsupportedPlatform");
      }
      const lacking = ["cpu", "memory"].flatMap((name) => lack(name, spec, objectField(objectField(node, "status"), "allocatable")));
      if (lacking.length > 0)
        throw refusedResize(request, `node didn't have enough allocatable resources: ${lacking.join("; ")}`, "NodeCapacity");
    },
  };
}

/** What a node cannot give of a resource, if it cannot. */
function lack(name: string, spec: JsonObject, allocatable: JsonObject): string | readonly [] {
  const none = Quantity.of(0);
  const overhead = resourceList(objectField(spec, "overhead")).get(name) ?? none;
  const requested = (podTotals(spec, "requests").get(name) ?? none).add(overhead);
  const available = resourceList(allocatable).get(name) ?? none;
  if (requested.compare(available) <= 0) return [];
  const amount = (quantity: Quantity): bigint => (name === "cpu" ? quantity.milliValue() : quantity.value());
  return `${name}, requested: ${amount(requested)}, allocatable: ${amount(available)}`;
}

function refusedResize(request: AdmissionRequest, why: string, reason: "NodeCapacity" | "UnsupportedPlatform"): Error {
  const { status } = refusedObject(request, why);
  return refusal("Forbidden", status.message ?? "", { ...status.details, causes: [{ reason }] });
}
