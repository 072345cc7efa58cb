import { quote } from "@kaji/core/go";
import { seccompPodAnnotation, seccompPrefix } from "../../../kinds/core/pod-annotation-validation.ts";
import type { PodCheck } from "../check.ts";
import { distinct, plural } from "../wording.ts";

const allowed: ReadonlySet<string> = new Set(["runtime/default", "docker/default"]);

/** The profiles of system calls that annotations name, as was done before v1.19, are the default or installed ones. */
export const seccompAnnotations: PodCheck = ({ annotations, containers }) => {
  const keys = [seccompPodAnnotation, ...containers.map(({ name }) => seccompPrefix + name)];
  const bad = keys.flatMap((key) => {
    const value = annotations[key];
    return value === undefined || allowed.has(value) || value.startsWith("localhost/") ? [] : [`${key}=${quote(value)}`];
  });
  const shown = distinct(bad);
  if (shown.length === 0) return undefined;
  return { reason: "seccompProfile", detail: `forbidden ${plural("annotation", "annotations", shown.length)} ${shown.join(", ")}` };
};
