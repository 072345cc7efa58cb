import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { objectsField, stringField } from "../json-fields.ts";
import { descendingPathErrors } from "./path-rules.ts";
import { containerLists } from "./pod-spec-defaults.ts";

/** The annotation that the kubelet gives to pods it runs without being told to by the server. */
export const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Annotations that once were what `securityContext.appArmorProfile` is today. */
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
/** Annotations that once were what `securityContext.seccompProfile` is today. */
export const seccompPodAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
export const seccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";
const deletionCost = "controller.kubernetes.io/pod-deletion-cost";

type Annotations = Readonly<Record<string, string>>;

/** What is wrong with annotations that mean something for pods. */
export function podAnnotationErrors(annotations: Annotations, spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  const mirror = annotations[mirrorAnnotation];
  if (mirror !== undefined && stringField(spec, "nodeName") === "") {
    errors.push(invalidValue(path.key(mirrorAnnotation), mirror, "must set spec.nodeName if mirror pod annotation is set"));
  }
  const cost = annotations[deletionCost];
  if (cost !== undefined && !isInt32(cost)) errors.push(invalidValue(path.key(deletionCost), cost, "must be a 32bit integer"));
  return [...errors, ...seccompErrors(annotations, path), ...appArmorErrors(annotations, spec, path)];
}

/** As Kubernetes reads it: no plus sign, no zeros in front. */
function isInt32(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

function seccompErrors(annotations: Annotations, path: FieldPath): readonly FieldError[] {
  return Object.entries(annotations).flatMap(([key, profile]) => {
    if (key !== seccompPodAnnotation && !key.startsWith(seccompPrefix)) return [];
    if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
    if (profile.startsWith("localhost/")) return descendingPathErrors(profile.slice("localhost/".length), path.child(key));
    return [invalidValue(path.child(key), profile, "must be a valid seccomp profile")];
  });
}

function appArmorErrors(annotations: Annotations, spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const names = containerLists.flatMap((list) => objectsField(spec, list).map((container) => stringField(container, "name")));
  return Object.entries(annotations).flatMap(([key, profile]) => {
    if (!key.startsWith(appArmorPrefix)) return [];
    const container = key.slice(appArmorPrefix.length);
    const errors = names.includes(container) ? [] : [invalidValue(path.key(key), container, "container not found")];
    const isKnown = ["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith("localhost/");
    return isKnown
      ? errors
      : [...errors, invalidValue(path.key(key), profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)];
  });
}
