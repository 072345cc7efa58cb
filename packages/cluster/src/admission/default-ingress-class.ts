import type { AdmissionPlugin } from "@kaji/apiserver";
import { has, objectField } from "../kinds/json-fields.ts";
import { defaultClass } from "./default-class.ts";
import type { StoredObjects } from "./stored-objects.ts";

const path = "/registry/ingressclasses/";
const classAnnotation = "kubernetes.io/ingress.class";
const defaultAnnotation = "ingressclass.kubernetes.io/is-default-class";

/** Gives new Ingresses that name no class the default one, if there is one. */
export function defaultIngressClass(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "DefaultIngressClass",
    resources: ["networking.k8s.io/ingresses"],
    mutate: ({ operation, target, object }) => {
      if (operation !== "CREATE" || target.subresource !== undefined) return object;
      const spec = objectField(object, "spec");
      if (has(spec, "ingressClassName") || object.metadata.annotations?.[classAnnotation] !== undefined) return object;
      const name = defaultClass(objects, path, defaultAnnotation);
      return name === undefined ? object : { ...object, spec: { ...spec, ingressClassName: name } };
    },
  };
}
