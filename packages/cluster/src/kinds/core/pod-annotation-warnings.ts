import { structuralEqual } from "@kaji/core";
import type { FieldPath, JsonObject } from "@kaji/core";
import { has, objectField, optionalObject, stringField, stringMapField } from "../json-fields.ts";
import type { Fields } from "../json-fields.ts";
import { appArmorProfileOf } from "./app-armor.ts";
import { appArmorPrefix, seccompPodAnnotation, seccompPrefix } from "./pod-annotation-validation.ts";

/** Annotations that have no effect any more. */
const gone: readonly (readonly [name: string, why: string])[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
];
const goneSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const oldAppArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/** What the author of a pod, or of a template, should know about its annotations. */
export interface AnnotationWarnings {
  readonly gone: readonly string[];
  readonly seccomp: readonly string[];
  of(container: JsonObject): readonly string[];
}

/** Looks at the annotations of a pod, or of a template at this path. */
export function annotationWarnings(pod: Fields, root: FieldPath): AnnotationWarnings {
  const annotations = stringMapField(objectField(pod, "metadata"), "annotations");
  const security = objectField(objectField(pod, "spec"), "securityContext");
  const warned = (key: string, why: string): readonly string[] =>
    Object.hasOwn(annotations, key) ? [`${root.child("metadata", "annotations").key(key)}: ${why}`] : [];
  // Pods are warned of when the field is filled in for them.
  const isTemplate = root.toString() !== "";
  const appArmorOf = (name: string): readonly string[] => {
    const profile = optionalObject(security, "appArmorProfile");
    const isSaid = profile !== undefined && structuralEqual(profile, appArmorProfileOf(annotations[appArmorPrefix + name] ?? ""));
    return isSaid ? [] : warned(appArmorPrefix + name, oldAppArmor);
  };
  return {
    gone: gone.flatMap(([key, why]) => warned(key, why)),
    seccomp: has(security, "seccompProfile") ? [] : warned(seccompPodAnnotation, goneSeccomp),
    of: (container) => {
      const [name, own] = [stringField(container, "name"), objectField(container, "securityContext")];
      return [
        ...(has(own, "seccompProfile") ? [] : warned(seccompPrefix + name, goneSeccomp)),
        ...(isTemplate && !has(own, "appArmorProfile") ? appArmorOf(name) : []),
      ];
    },
  };
}
