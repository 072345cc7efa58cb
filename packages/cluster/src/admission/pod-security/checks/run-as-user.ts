import { numberField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { setters } from "../wording.ts";

/** Nobody asks to be root. */
export const runAsUser: PodCheck = (pod) => {
  const bad = setters(pod, (security) => numberField(security, "runAsUser") === 0);
  return bad.length === 0 ? undefined : { reason: "runAsUser=0", detail: `${bad.join(" and ")} must not set runAsUser=0` };
};
