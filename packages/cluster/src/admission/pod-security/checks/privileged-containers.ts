import { booleanField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { containersText } from "../wording.ts";

/** No container is privileged. */
export const privilegedContainers: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ security }) => booleanField(security, "privileged"));
  if (bad.length === 0) return undefined;
  return { reason: "privileged", detail: `${containersText(bad)} must not set securityContext.privileged=true` };
};
