import type { Job, PodFailurePolicyAction, PodFailurePolicyRule } from "@kaji/types/batch/v1";
import type { ContainerStatus, Pod, PodCondition } from "@kaji/types/core/v1";

/** What the failure of a pod means to its job. */
export interface FailureVerdict {
  /** What the first rule that fits says; undefined if none does. */
  readonly action: PodFailurePolicyAction | undefined;
  /** Why the whole job fails, where it does. */
  readonly message?: string;
}

/** Judges a failed pod by the rules of its job. */
export function judgeFailure({ spec }: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const why = whyRuleFits(rule, pod);
    if (why === undefined) continue;
    const message = `${why} matching ${rule.action} rule at index ${index}`;
    return rule.action === "FailJob" ? { action: rule.action, message } : { action: rule.action };
  }
  return { action: undefined };
}

/** Whether the failure of a pod counts against the limit of its job. */
export function isCounted(job: Job, pod: Pod): boolean {
  return judgeFailure(job, pod).action !== "Ignore";
}

function whyRuleFits({ onExitCodes, onPodConditions }: PodFailurePolicyRule, { metadata, status = {} }: Pod): string | undefined {
  const where = `${metadata.namespace}/${metadata.name}`;
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    const statuses: readonly ContainerStatus[] = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
    const exits = statuses.map(({ name, state }) => ({ name, exitCode: state?.terminated?.exitCode ?? 0 }));
    const failed = exits.find(
      ({ name, exitCode }) =>
        exitCode !== 0 && (containerName === undefined || containerName === name) && values.includes(exitCode) === (operator === "In"),
    );
    return failed === undefined ? undefined : `Container ${failed.name} for pod ${where} failed with exit code ${failed.exitCode}`;
  }
  const found = status.conditions?.find((condition) => onPodConditions?.some((pattern) => isSame(condition, pattern)));
  return found === undefined ? undefined : `Pod ${where} has condition ${found.type}`;
}

function isSame(condition: PodCondition, pattern: { readonly type: string; readonly status?: string }): boolean {
  return condition.type === pattern.type && condition.status === (pattern.status ?? "True");
}
