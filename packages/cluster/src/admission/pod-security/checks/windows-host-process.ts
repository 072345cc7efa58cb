import { booleanField, objectField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { setters } from "../wording.ts";

/** Nothing runs on the host itself, as processes in pods for Windows can. */
export const windowsHostProcess: PodCheck = (pod) => {
  const bad = setters(pod, (security) => booleanField(objectField(security, "windowsOptions"), "hostProcess"));
  if (bad.length === 0) return undefined;
  return { reason: "hostProcess", detail: `${bad.join(" and ")} must not set securityContext.windowsOptions.hostProcess=true` };
};
