import type { AdmissionPlugin } from "@kaji/apiserver";
import { has, objectField } from "../kinds/json-fields.ts";
import { defaultClass } from "./default-class.ts";
import type { StoredObjects } from "./stored-objects.ts";

const path = "/registry/storageclasses/";
const betaClass = "volume.beta.kubernetes.io/storage-class";
const defaultAnnotation = "storageclass.kubernetes.io/is-default-class";

/** Gives claims that name no class of storage the default one, if there is one. */
export function defaultStorageClass(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "DefaultStorageClass",
    resources: ["/persistentvolumeclaims"],
    mutate: ({ operation, target, object }) => {
      if (operation !== "CREATE" || target.subresource !== undefined) return object;
      const spec = objectField(object, "spec");
      if (has(spec, "storageClassName") || object.metadata.annotations?.[betaClass] !== undefined) return object;
      const name = defaultClass(objects, path, defaultAnnotation);
      return name === undefined ? object : { ...object, spec: { ...spec, storageClassName: name } };
    },
  };
}
