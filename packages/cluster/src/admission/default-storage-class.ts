import type { AdmissionPlugin } from "@kaji/apiserver";
import { has, objectField } from "../kinds/json-fields.ts";
import type { StoredObjects } from "./stored-objects.ts";

const path = "/registry/storageclasses/";
const betaClass = "volume.beta.kubernetes.io/storage-class";
const defaultAnnotation = "storageclass.kubernetes.io/is-default-class";

/** Gives claims that name no class of storage the default one, if there is one: of several, the newest. */
export function defaultStorageClass(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "DefaultStorageClass",
    resources: ["/persistentvolumeclaims"],
    mutate: ({ operation, target, object }) => {
      if (operation !== "CREATE" || target.subresource !== undefined) return object;
      const spec = objectField(object, "spec");
      if (has(spec, "storageClassName") || object.metadata.annotations?.[betaClass] !== undefined) return object;
      const [newest] = objects
        .list(path)
        .filter(({ metadata }) => metadata.annotations?.[defaultAnnotation] === "true")
        .map(({ metadata }) => metadata)
        .toSorted((left, right) => (`${left.creationTimestamp} ${left.name}` > `${right.creationTimestamp} ${right.name}` ? -1 : 1));
      return newest === undefined ? object : { ...object, spec: { ...spec, storageClassName: newest.name } };
    },
  };
}
