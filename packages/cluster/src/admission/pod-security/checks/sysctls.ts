import { objectsField, stringField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";

/** Parameters of the kernel that concern a pod alone, by the minor version since which they count as such. */
const safe: readonly (readonly [since: number, names: readonly string[]])[] = [
  [
    0,
    [
      "kernel.shm_rmid_forced",
      "net.ipv4.ip_local_port_range",
      "net.ipv4.tcp_syncookies",
      "net.ipv4.ping_group_range",
      "net.ipv4.ip_unprivileged_port_start",
    ],
  ],
  [27, ["net.ipv4.ip_local_reserved_ports"]],
  [29, ["net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes"]],
  [32, ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]],
];

/** A pod sets no parameter of the kernel but those that are safe in this minor version. */
export function sysctls(minor: number): PodCheck {
  const allowed = new Set(safe.flatMap(([since, names]) => (since <= minor ? names : [])));
  return ({ security }) => {
    const names = objectsField(security, "sysctls").map((sysctl) => stringField(sysctl, "name"));
    const bad = names.filter((name) => !allowed.has(name));
    return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
  };
}
