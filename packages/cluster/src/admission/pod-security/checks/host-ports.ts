import type { JsonObject } from "@kaji/core";
import { numberField, objectsField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { containersText, distinct, plural } from "../wording.ts";

/** No container takes ports of the host. */
export const hostPorts: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ fields }) => hostPortsOf(fields).length > 0);
  if (bad.length === 0) return undefined;
  const ports = distinct(bad.flatMap(({ fields }) => hostPortsOf(fields)));
  const use = plural("uses", "use", bad.length);
  return {
    reason: "hostPort",
    detail: `${containersText(bad)} ${use} ${plural("hostPort", "hostPorts", ports.length)} ${ports.join(", ")}`,
  };
};

function hostPortsOf(container: JsonObject): readonly string[] {
  return objectsField(container, "ports").flatMap((port) => {
    const number = numberField(port, "hostPort") ?? 0;
    return number === 0 ? [] : [String(number)];
  });
}
