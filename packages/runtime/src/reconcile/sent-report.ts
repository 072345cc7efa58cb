import { messageWithCauses } from "@kaji/core";
import type { ReconcileReport, ReportedCall, ReportedWrite, Trigger } from "./reconcile-report.ts";

/** A report as it goes from one process to another, and as JSON to programs that ask for it: errors are what they say, and where they come from. */
export interface SentReport extends Omit<ReconcileReport, "error" | "triggers" | "writes" | "calls"> {
  readonly type: "Reconcile";
  readonly triggers: readonly SentTrigger[];
  readonly writes: readonly SentWrite[];
  /** Absent in reports of operators that are older than this. */
  readonly calls?: readonly SentCall[];
  readonly error: SentError | undefined;
}

/** A report of which is known when it came. */
export interface TimedReport extends SentReport {
  readonly at: string;
}

/** An error without its class. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Of an error of the API server. */
  readonly reason?: string;
}

/** A trigger whose error is a sent one. */
export type SentTrigger =
  | Exclude<Trigger, { readonly type: "Retry" }>
  | { readonly type: "Retry"; readonly attempt: number; readonly error: SentError };

/** A write whose error is a sent one. */
export interface SentWrite extends Omit<ReportedWrite, "error"> {
  readonly error: SentError | undefined;
}

/** A call whose error is a sent one. */
export interface SentCall extends Omit<ReportedCall, "error"> {
  readonly error: SentError | undefined;
}

/** The report in a form that can be sent. */
export function sentReport({ error, triggers, writes, calls, ...rest }: ReconcileReport): SentReport {
  return {
    type: "Reconcile",
    ...rest,
    triggers: triggers.map((trigger) => (trigger.type === "Retry" ? { ...trigger, error: sentError(trigger.error) } : trigger)),
    writes: writes.map(withSentError),
    calls: calls.map(withSentError),
    error: error && sentError(error),
  };
}

/** Whether a message of another process is a report. */
export function isSentReport(message: unknown): message is SentReport {
  return typeof message === "object" && message !== null && "type" in message && message.type === "Reconcile";
}

function withSentError<T extends { readonly error: Error | undefined }>(told: T): Omit<T, "error"> & Pick<SentCall, "error"> {
  return { ...told, error: told.error && sentError(told.error) };
}

function sentError(error: Error): SentError {
  const { name, stack = "" } = error;
  return {
    name,
    message: messageWithCauses(error),
    stack,
    ...("reason" in error && typeof error.reason === "string" ? { reason: error.reason } : {}),
  };
}
