import type { JsonObject } from "@kaji/core";
import { has, objectField, stringField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { containersText, distinct, quotedList, setters } from "../wording.ts";

const reason = "seccompProfile";

/** The profiles of system calls that pod and containers name are the default or installed ones. */
export const seccompProfile: PodCheck = (pod) => {
  const bad = setters(pod, isBad);
  if (bad.length === 0) return undefined;
  const given = [pod.security, ...pod.containers.map(({ security }) => security)];
  const types = quotedList(distinct(given.filter(isBad).map(typeOf)));
  return { reason, detail: `${bad.join(" and ")} must not set securityContext.seccompProfile.type to ${types}` };
};

/** The same, and every container names one, or the pod for those that do not. */
export const givenSeccompProfile: PodCheck = (pod) => {
  const violation = seccompProfile(pod);
  if (violation !== undefined || isGiven(pod.security)) return violation;
  const silent = pod.containers.filter(({ security }) => !isGiven(security));
  if (silent.length === 0) return undefined;
  const detail = `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason, detail };
};

function isBad(security: JsonObject): boolean {
  return isGiven(security) && !["RuntimeDefault", "Localhost"].includes(typeOf(security));
}

function isGiven(security: JsonObject): boolean {
  return has(security, "seccompProfile");
}

function typeOf(security: JsonObject): string {
  return stringField(objectField(security, "seccompProfile"), "type");
}
