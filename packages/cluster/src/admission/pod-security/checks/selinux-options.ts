import type { JsonObject } from "@kaji/core";
import { objectField, stringField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";
import { distinct, plural, quotedList, setters } from "../wording.ts";

/** Pod and containers choose among these types of SELinux, and neither user nor role. */
export function seLinuxOptions(types: readonly string[]): PodCheck {
  const isBadType = (options: JsonObject): boolean => !["", ...types].includes(stringField(options, "type"));
  const isSet = (options: JsonObject, name: string): boolean => stringField(options, name) !== "";
  return (pod) => {
    const bad = setters(pod, (security) => {
      const options = optionsOf(security);
      return isBadType(options) || isSet(options, "user") || isSet(options, "role");
    });
    if (bad.length === 0) return undefined;
    const given = [pod.security, ...pod.containers.map(({ security }) => security)].map(optionsOf);
    const badTypes = distinct(given.filter(isBadType).map((options) => stringField(options, "type")));
    const problems = [
      ...(badTypes.length === 0 ? [] : [`${plural("type", "types", badTypes.length)} ${quotedList(badTypes)}`]),
      ...["user", "role"].filter((name) => given.some((options) => isSet(options, name))).map((name) => `${name} may not be set`),
    ];
    const detail = `${bad.join(" and ")} set forbidden securityContext.seLinuxOptions: ${problems.join("; ")}`;
    return { reason: "seLinuxOptions", detail };
  };
}

function optionsOf(security: JsonObject): JsonObject {
  return objectField(security, "seLinuxOptions");
}
