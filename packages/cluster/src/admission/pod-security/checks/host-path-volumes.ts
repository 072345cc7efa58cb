import { has, objectsField, stringField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { plural, quotedList } from "../wording.ts";

/** No volume shows files of the host. */
export const hostPathVolumes: PodCheck = ({ spec }) => {
  const bad = objectsField(spec, "volumes").filter((volume) => has(volume, "hostPath"));
  if (bad.length === 0) return undefined;
  const names = bad.map((volume) => stringField(volume, "name"));
  return { reason: "hostPath volumes", detail: `${plural("volume", "volumes", names.length)} ${quotedList(names)}` };
};
