import type { ScaleSubresource } from "@kaji/apiserver";
import { mapPart, withField } from "../../field-defaults.ts";
import { numberField, objectField } from "../../json-fields.ts";
import { selectorField, selectorText } from "../../selector-rules.ts";

/** `scale` of kinds that keep their replicas in `spec.replicas` and count them in `status.replicas`. */
export const replicasScale: ScaleSubresource = {
  type: "Scale",
  replicasPath: ["spec", "replicas"],
  read: (object) => ({
    specReplicas: numberField(objectField(object, "spec"), "replicas") ?? 0,
    statusReplicas: numberField(objectField(object, "status"), "replicas") ?? 0,
    selector: selectorText(selectorField(objectField(object, "spec"), "selector")),
  }),
  write: (object, replicas) => mapPart(object, "spec", (spec) => withField(spec, "replicas", replicas)),
};
