import { unlessOwnUsers, unlessWindows } from "./check.ts";
import type { PodCheck } from "./check.ts";
import { addedCapabilities } from "./checks/added-capabilities.ts";
import { appArmorProfile } from "./checks/app-armor-profile.ts";
import { droppedCapabilities } from "./checks/dropped-capabilities.ts";
import { hostNamespaces } from "./checks/host-namespaces.ts";
import { hostPathVolumes } from "./checks/host-path-volumes.ts";
import { hostPorts } from "./checks/host-ports.ts";
import { privilegeEscalation } from "./checks/privilege-escalation.ts";
import { privilegedContainers } from "./checks/privileged-containers.ts";
import { probeHosts } from "./checks/probe-hosts.ts";
import { procMount } from "./checks/proc-mount.ts";
import { restrictedVolumes } from "./checks/restricted-volumes.ts";
import { runAsNonRoot } from "./checks/run-as-non-root.ts";
import { runAsUser } from "./checks/run-as-user.ts";
import { seccompAnnotations } from "./checks/seccomp-annotations.ts";
import { givenSeccompProfile, seccompProfile } from "./checks/seccomp-profile.ts";
import { seLinuxOptions } from "./checks/selinux-options.ts";
import { sysctls } from "./checks/sysctls.ts";
import { windowsHostProcess } from "./checks/windows-host-process.ts";
import type { Standard } from "./policy.ts";

/** What is asked about one aspect of pods since a minor version, until a later row about the same asks otherwise. */
type Row = readonly [aspect: string, since: number, check: PodCheck];

const seLinuxTypes = ["container_t", "container_init_t", "container_kvm_t"];

/** What baseline asks for, in the order in which it is complained about. */
const baseline: readonly Row[] = [
  ["AppArmor", 0, appArmorProfile],
  ["capabilities", 0, addedCapabilities],
  ["namespaces", 0, hostNamespaces],
  ["volumes", 0, hostPathVolumes],
  ["ports", 0, hostPorts],
  ["probes", 34, probeHosts],
  ["privileges", 0, privilegedContainers],
  ["/proc", 0, procMount],
  ["/proc", 35, unlessOwnUsers(procMount)],
  ["SELinux", 0, seLinuxOptions(seLinuxTypes)],
  ["SELinux", 31, seLinuxOptions([...seLinuxTypes, "container_engine_t"])],
  ["seccomp", 0, seccompAnnotations],
  ["seccomp", 19, seccompProfile],
  ["sysctls", 0, sysctls(0)],
  ["sysctls", 27, sysctls(27)],
  ["sysctls", 29, sysctls(29)],
  ["sysctls", 32, sysctls(32)],
  ["Windows", 0, windowsHostProcess],
];

/** What restricted asks for besides, after that, or instead where baseline asks about the same aspect. */
const restricted: readonly Row[] = [
  ["escalation", 8, privilegeEscalation],
  ["escalation", 25, unlessWindows(privilegeEscalation)],
  ["capabilities", 22, droppedCapabilities],
  ["capabilities", 25, unlessWindows(droppedCapabilities)],
  ["/proc", 35, procMount],
  ["volumes", 0, restrictedVolumes],
  ["root", 0, runAsNonRoot],
  ["root", 35, unlessOwnUsers(runAsNonRoot)],
  ["user", 23, runAsUser],
  ["user", 35, unlessOwnUsers(runAsUser)],
  ["seccomp", 19, givenSeccompProfile],
  ["seccomp", 25, unlessWindows(givenSeccompProfile)],
];

/** What a standard asks of a pod, in the order in which it is complained about. */
export function checksOf({ level, version }: Standard): readonly PodCheck[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? Number.POSITIVE_INFINITY : Number(version.slice("v1.".length));
  const base = inForce(baseline, minor);
  if (level === "baseline") return [...base.values()];
  const own = inForce(restricted, minor);
  for (const aspect of own.keys()) base.delete(aspect);
  return [...base.values(), ...own.values()];
}

/** The checks of a version by what they are about; each stands where the first about that does. */
function inForce(rows: readonly Row[], minor: number): Map<string, PodCheck> {
  const checks = new Map<string, PodCheck>();
  for (const [aspect, since, check] of rows) if (since <= minor) checks.set(aspect, check);
  return checks;
}
