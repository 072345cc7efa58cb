import type { AdmissionPlugin } from "@kaji/apiserver";
import type { JsonObject } from "@kaji/core";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";

const seconds = 300;
const taints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** Lets pods stay for a while on nodes that fail, unless they say otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  resources: ["/pods"],
  mutate: ({ target, object }) => {
    if (target.subresource !== undefined) return object;
    const spec = objectField(object, "spec");
    const tolerations = objectsField(spec, "tolerations");
    const missing = taints.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
    if (missing.length === 0) return object;
    const added = missing.map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: seconds }));
    return { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } };
  },
};

function tolerates(toleration: JsonObject, taint: string): boolean {
  const [key, effect] = [stringField(toleration, "key"), stringField(toleration, "effect")];
  return (key === taint || key === "") && (effect === "NoExecute" || effect === "");
}
