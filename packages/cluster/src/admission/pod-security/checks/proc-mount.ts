import { stringField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import type { CheckedContainer } from "../checked-pod.ts";
import { containersText, distinct, quotedList } from "../wording.ts";

/** Containers see of `/proc` what the runtime shows by default. */
export const procMount: PodCheck = ({ containers }) => {
  const bad = containers.filter((container) => !["", "Default"].includes(mountOf(container)));
  if (bad.length === 0) return undefined;
  const mounts = quotedList(distinct(bad.map(mountOf)));
  return { reason: "procMount", detail: `${containersText(bad)} must not set securityContext.procMount to ${mounts}` };
};

function mountOf({ security }: CheckedContainer): string {
  return stringField(security, "procMount");
}
