import type { AdmissionPlugin } from "@kaji/apiserver";
import { has, objectField } from "../kinds/json-fields.ts";
import type { StoredObjects } from "./stored-objects.ts";

/** Gives new claims that name no class of storage the default one, if there is one. */
export function defaultStorageClass(objects: StoredObjects): AdmissionPlugin {
  return defaultClass(objects, storage);
}

/** Gives new Ingresses that name no class the default one, if there is one. */
export function defaultIngressClass(objects: StoredObjects): AdmissionPlugin {
  return defaultClass(objects, ingresses);
}

/** How objects of a kind say of which class they are, and which class is the default one. */
interface Classes {
  readonly plugin: string;
  readonly resource: string;
  readonly field: string;
  /** By which an object said its class before there was the field. */
  readonly formerAnnotation: string;
  /** Where the classes are. */
  readonly path: string;
  /** By which a class says that it is the default one. */
  readonly defaultAnnotation: string;
}

const storage: Classes = {
  plugin: "DefaultStorageClass",
  resource: "/persistentvolumeclaims",
  field: "storageClassName",
  formerAnnotation: "volume.beta.kubernetes.io/storage-class",
  path: "/registry/storageclasses/",
  defaultAnnotation: "storageclass.kubernetes.io/is-default-class",
};

const ingresses: Classes = {
  plugin: "DefaultIngressClass",
  resource: "networking.k8s.io/ingresses",
  field: "ingressClassName",
  formerAnnotation: "kubernetes.io/ingress.class",
  path: "/registry/ingressclasses/",
  defaultAnnotation: "ingressclass.kubernetes.io/is-default-class",
};

function defaultClass(objects: StoredObjects, classes: Classes): AdmissionPlugin {
  const { plugin, resource, field, formerAnnotation } = classes;
  return {
    name: plugin,
    resources: [resource],
    mutate: ({ operation, target, object }) => {
      if (operation !== "CREATE" || target.subresource !== undefined) return object;
      const spec = objectField(object, "spec");
      if (has(spec, field) || object.metadata.annotations?.[formerAnnotation] !== undefined) return object;
      const name = nameOfDefault(objects, classes);
      return name === undefined ? object : { ...object, spec: { ...spec, [field]: name } };
    },
  };
}

/** Of several the newest, and of those of one moment the first by name. */
function nameOfDefault(objects: StoredObjects, { path, defaultAnnotation }: Classes): string | undefined {
  let found: { readonly name: string; readonly creationTimestamp?: string } | undefined;
  // They come by name.
  for (const { metadata } of objects.list(path)) {
    if (metadata.annotations?.[defaultAnnotation] !== "true") continue;
    if (found === undefined || (metadata.creationTimestamp ?? "") > (found.creationTimestamp ?? "")) found = metadata;
  }
  return found?.name;
}
