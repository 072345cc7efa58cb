import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../../exchange.ts";
import { callsTo } from "../../calls.ts";
import { container, podSpec } from "./tried-pods.ts";

const namespace = "all-versions";
const namespaces = callsTo("/api/v1/namespaces");
const pods = callsTo(`/api/v1/namespaces/${namespace}/pods`);

/** One pod for each thing that has ever been asked otherwise than before. */
const asked: Readonly<Record<string, JsonObject>> = {
  capabilities: podSpec({}, { containers: [container("c", { capabilities: { add: ["SYS_TIME"] } })] }),
  escalation: podSpec({}, { containers: [container("c", { allowPrivilegeEscalation: true })] }),
  "own-users": podSpec({ runAsUser: 0, runAsNonRoot: false }, { hostUsers: false }),
  probes: podSpec({}, { containers: [container("c", {}, { livenessProbe: { tcpSocket: { host: "a", port: 1 } } })] }),
  proc: podSpec({}, { hostUsers: false, containers: [container("c", { procMount: "Unmasked" })] }),
  seccomp: podSpec({ seccompProfile: { type: "Unconfined" } }),
  selinux: podSpec({ seLinuxOptions: { type: "container_engine_t" } }),
  "sysctl-27": podSpec({ sysctls: [{ name: "net.ipv4.ip_local_reserved_ports", value: "1" }] }, { hostPID: true }),
  "sysctl-29": podSpec({ sysctls: [{ name: "net.ipv4.tcp_fin_timeout", value: "1" }] }, { hostIPC: true }),
  "sysctl-32": podSpec({ sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] }),
  user: podSpec({ runAsUser: 0 }),
  windows: { os: { name: "windows" }, securityContext: { runAsNonRoot: true }, containers: [{ name: "c", image: "a" }] },
};

const enforced = (level: string, version: string): Step => ({
  ...namespaces.patch(namespace, {
    metadata: { labels: { "pod-security.kubernetes.io/enforce": level, "pod-security.kubernetes.io/enforce-version": version } },
  }),
  path: `/api/v1/namespaces/${namespace}?dryRun=All`,
});

/** The last pod that a real server learns of among those a standard forbids in the version that is asked about first. */
const lastForbidden: Readonly<Record<string, string>> = { baseline: "sysctl-32", restricted: "windows" };

/** How the standards have changed, as namespaces warn of the pods that they have already. */
export const versionScenarios: readonly Scenario[] = Object.entries(lastForbidden).map(([level, last]) => ({
  name: `PS2 ${level} in every version`,
  steps: [
    namespaces.create({ metadata: { name: namespace } }),
    ...Object.entries(asked).map(([name, spec]) => pods.create({ metadata: { name }, spec })),
    { ...enforced(level, "v1.24"), until: last },
    ...Array.from({ length: 38 }, (_, minor) => enforced(level, `v1.${minor}`)),
  ],
}));
