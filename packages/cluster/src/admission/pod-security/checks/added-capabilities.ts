import { objectField, stringsField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import type { CheckedContainer } from "../checked-pod.ts";
import { containersText, distinct, quotedList } from "../wording.ts";

const byDefault: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

/** Containers add no capability that they would not have by default anyway. */
export const addedCapabilities: PodCheck = ({ containers }) => {
  const detail = additions(containers, byDefault);
  return detail === undefined ? undefined : { reason: "non-default capabilities", detail };
};

/** Says which containers add capabilities other than the allowed ones; undefined if none does. */
export function additions(containers: readonly CheckedContainer[], allowed: ReadonlySet<string>): string | undefined {
  const added = ({ security }: CheckedContainer): readonly string[] =>
    stringsField(objectField(security, "capabilities"), "add").filter((name) => !allowed.has(name));
  const bad = containers.filter((container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  return `${containersText(bad)} must not include ${quotedList(distinct(bad.flatMap(added)))} in securityContext.capabilities.add`;
}
