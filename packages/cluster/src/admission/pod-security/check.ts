import { isWindows } from "./checked-pod.ts";
import type { CheckedPod } from "./checked-pod.ts";

/** Why a pod does not meet a standard. */
export interface Violation {
  /** What is wrong, in a few words. */
  readonly reason: string;
  /** Where it is wrong. */
  readonly detail: string;
}

/** Looks at one aspect of a pod. */
export type PodCheck = (pod: CheckedPod) => Violation | undefined;

/** Pods for Windows are not asked for what does not exist there. */
export function unlessWindows(check: PodCheck): PodCheck {
  return (pod) => (isWindows(pod) ? undefined : check(pod));
}

/** Pods with users of their own are not asked for what protects the users of the host. */
export function unlessOwnUsers(check: PodCheck): PodCheck {
  return (pod) => (pod.spec["hostUsers"] === false ? undefined : check(pod));
}
