import { field } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { containersText } from "../wording.ts";

/** Containers say that nothing in them may gain more rights than it began with. */
export const privilegeEscalation: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ security }) => field(security, "allowPrivilegeEscalation") !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};
