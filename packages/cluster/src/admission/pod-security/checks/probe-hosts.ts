import type { JsonObject } from "@kaji/core";
import { compareGoStrings } from "@kaji/core/go";
import { objectField, stringField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { containersText, distinct, plural, quotedList } from "../wording.ts";

/** Nobody but the pod itself is called by its probes and at its beginning and end. */
export const probeHosts: PodCheck = ({ containers }) => {
  const bad = containers
    .filter(({ fields }) => hostsOf(fields).length > 0)
    // Unlike elsewhere they are named in the order of their names.
    .toSorted((one, other) => compareGoStrings(one.name, other.name));
  if (bad.length === 0) return undefined;
  const hosts = distinct(bad.flatMap(({ fields }) => hostsOf(fields)));
  const use = plural("uses", "use", bad.length);
  const what = plural("probe or lifecycle host", "probe or lifecycle hosts", hosts.length);
  return { reason: "probe or lifecycle host", detail: `${containersText(bad)} ${use} ${what} ${quotedList(hosts)}` };
};

function hostsOf(container: JsonObject): readonly string[] {
  const lifecycle = objectField(container, "lifecycle");
  const handlers = [
    ...["livenessProbe", "readinessProbe", "startupProbe"].map((name) => objectField(container, name)),
    ...["postStart", "preStop"].map((name) => objectField(lifecycle, name)),
  ];
  return handlers
    .flatMap((handler) => ["httpGet", "tcpSocket"].map((action) => stringField(objectField(handler, action), "host")))
    .filter((host) => host !== "");
}
