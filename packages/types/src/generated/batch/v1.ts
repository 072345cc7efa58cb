// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { LabelSelector, ObjectMeta, Resource } from "@kaji/core";
import type { ObjectReference, PodTemplateSpec } from "../core/v1.ts";

export type CompletionMode = "Indexed" | "NonIndexed";

export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";

/** An object of the kind CronJob in batch/v1. */
export interface CronJob {
  readonly apiVersion: "batch/v1";
  readonly kind: "CronJob";
  readonly metadata: ObjectMeta;
  readonly spec: CronJobSpec;
  readonly status?: CronJobStatus;
}

/** The resource cronjobs in batch/v1. */
export const CronJob: Resource<CronJob> = resource({ group: "batch", version: "v1", kind: "CronJob", plural: "cronjobs", scope: "Namespaced" });

export interface CronJobSpec {
  readonly schedule: string;
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number;
  readonly concurrencyPolicy?: ConcurrencyPolicy;
  readonly suspend?: boolean;
  readonly jobTemplate: JobTemplateSpec;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
}

export interface CronJobStatus {
  readonly active?: readonly ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

/** An object of the kind Job in batch/v1. */
export interface Job {
  readonly apiVersion: "batch/v1";
  readonly kind: "Job";
  readonly metadata: ObjectMeta;
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
}

/** The resource jobs in batch/v1. */
export const Job: Resource<Job> = resource({ group: "batch", version: "v1", kind: "Job", plural: "jobs", scope: "Namespaced" });

export interface JobCondition {
  readonly type: string;
  readonly status: string;
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
  readonly template: PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: CompletionMode;
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: PodReplacementPolicy;
  readonly managedBy?: string;
}

export interface JobStatus {
  readonly conditions?: readonly JobCondition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly terminating?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
  readonly ready?: number;
}

export interface JobTemplateSpec {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: JobSpec;
}

export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[];
}

export type PodFailurePolicyAction = "Count" | "FailIndex" | "FailJob" | "Ignore";

export type PodFailurePolicyOnExitCodesOperator = "In" | "NotIn";

export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string;
  readonly operator: PodFailurePolicyOnExitCodesOperator;
  readonly values: readonly number[];
}

export interface PodFailurePolicyOnPodConditionsPattern {
  readonly type: string;
  readonly status?: string;
}

export interface PodFailurePolicyRule {
  readonly action: PodFailurePolicyAction;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
}

export type PodReplacementPolicy = "Failed" | "TerminatingOrFailed";

export interface SuccessPolicy {
  readonly rules: readonly SuccessPolicyRule[];
}

export interface SuccessPolicyRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

export interface UncountedTerminatedPods {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}
