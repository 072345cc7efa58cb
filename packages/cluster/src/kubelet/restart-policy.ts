import type { Container, Pod } from "@kaji/types/core/v1";

const firstDelayMs = 10_000;
const longestDelayMs = 300_000;
/** What has run for longer has not failed to start. */
const stableMs = 2 * longestDelayMs;

/** Whether a container that ended with this code is to run again. */
export function shouldRestart(container: Container, { spec }: Pod, exitCode: number): boolean {
  const rules = container.restartPolicy === undefined ? [] : (container.restartPolicyRules ?? []);
  if (
    rules.some(({ exitCodes }) => exitCodes !== undefined && (exitCodes.values ?? []).includes(exitCode) === (exitCodes.operator === "In"))
  )
    return true;
  switch (container.restartPolicy ?? spec?.restartPolicy ?? "Always") {
    case "Never":
      return false;
    case "OnFailure":
      return exitCode !== 0;
    default:
      return true;
  }
}

/** How long to wait before a container runs again: not at all the first time or after a long run, otherwise twice as long each time. */
export function restartDelayMs(restartCount: number, ranMs: number): number {
  if (restartCount === 0 || ranMs > stableMs) return 0;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (restartCount - 1));
}

/** Whether an init container goes on running beside the containers of its pod. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}
