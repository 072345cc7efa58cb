import type { JsonObject } from "@kaji/core";
import { compareGoStrings, quote } from "@kaji/core/go";
import { has, objectField, stringField } from "../../../kinds/json-fields.ts";
import { appArmorPrefix } from "../../../kinds/core/pod-annotation-validation.ts";
import type { PodCheck } from "../check.ts";
import { distinct, plural, quotedList, setters } from "../wording.ts";

/** The profiles of AppArmor that pod, containers and annotations name are the default or installed ones. */
export const appArmorProfile: PodCheck = (pod) => {
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedText(value))
    .map(([key, value]) => `${key}=${quote(value)}`)
    .toSorted(compareGoStrings);
  const fields = [pod.security, ...pod.containers.map(({ security }) => security)].filter(isBad);
  if (annotations.length + fields.length === 0) return undefined;
  const bad = [...setters(pod, isBad), ...(annotations.length === 0 ? [] : [plural("annotation", "annotations", annotations.length)])];
  const values = [...distinct(fields.map(typeOf)), ...annotations];
  return {
    reason: plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values.length),
    detail: `${bad.join(" and ")} must not set AppArmor profile type to ${quotedList(values)}`,
  };
};

function isAllowedText(profile: string): boolean {
  return profile === "" || profile === "runtime/default" || profile.startsWith("localhost/");
}

function isBad(security: JsonObject): boolean {
  return has(security, "appArmorProfile") && !["RuntimeDefault", "Localhost"].includes(typeOf(security));
}

function typeOf(security: JsonObject): string {
  return stringField(objectField(security, "appArmorProfile"), "type");
}
