import { objectField, stringsField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { containersText } from "../wording.ts";
import { additions } from "./added-capabilities.ts";

const addable: ReadonlySet<string> = new Set(["NET_BIND_SERVICE"]);

/** Containers drop all capabilities, and add at most that to bind low ports. */
export const droppedCapabilities: PodCheck = ({ containers }) => {
  const undropped = containers.filter(({ security }) => !stringsField(objectField(security, "capabilities"), "drop").includes("ALL"));
  const omission = undropped.length === 0 ? undefined : `${containersText(undropped)} must set securityContext.capabilities.drop=["ALL"]`;
  const details = [omission, additions(containers, addable)].filter((detail) => detail !== undefined);
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
};
