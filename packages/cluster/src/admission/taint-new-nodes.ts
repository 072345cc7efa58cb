import type { AdmissionPlugin } from "@kaji/apiserver";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Keeps pods off new nodes until a controller has seen that they are ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  resources: ["/nodes"],
  mutate: ({ operation, target, object }) => {
    if (operation !== "CREATE" || target.subresource !== undefined) return object;
    const spec = objectField(object, "spec");
    const taints = objectsField(spec, "taints");
    const isTainted = taints.some(
      (taint) => stringField(taint, "key") === notReady.key && stringField(taint, "effect") === notReady.effect,
    );
    return isTainted ? object : { ...object, spec: { ...spec, taints: [...taints, notReady] } };
  },
};
