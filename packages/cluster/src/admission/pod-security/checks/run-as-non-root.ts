import { field, has } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { containersText, setters } from "../wording.ts";

/** Every container says, or the pod for those that do not, that it will not run as root. */
export const runAsNonRoot: PodCheck = (pod) => {
  const reason = "runAsNonRoot != true";
  const bad = setters(pod, (security) => field(security, "runAsNonRoot") === false);
  if (bad.length > 0) return { reason, detail: `${bad.join(" and ")} must not set securityContext.runAsNonRoot=false` };
  if (has(pod.security, "runAsNonRoot")) return undefined;
  const silent = pod.containers.filter(({ security }) => !has(security, "runAsNonRoot"));
  return silent.length === 0
    ? undefined
    : { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
};
