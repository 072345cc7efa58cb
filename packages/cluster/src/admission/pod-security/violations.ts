import type { Violation } from "./check.ts";
import type { CheckedPod } from "./checked-pod.ts";
import { checksOf } from "./standards.ts";
import type { Standard } from "./policy.ts";

/** Everything for which a pod does not meet a standard. */
export function violations(pod: CheckedPod, standard: Standard): readonly Violation[] {
  return checksOf(standard).flatMap((check) => check(pod) ?? []);
}

/** What is wrong and where: `hostPort (container "a" uses hostPort 80), privileged (…)`. */
export function violationDetails(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}
