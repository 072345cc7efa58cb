import { messageWithCauses } from "@kaji/core";
import type { ReconcileReport, ReportedWrite, Trigger } from "./reconcile-report.ts";

/** A report as it goes from one process to another, and as JSON to programs that ask for it: errors are what they say, and where they come from. */
export interface SentReport extends Omit<ReconcileReport, "error" | "triggers" | "writes"> {
  readonly type: "Reconcile";
  readonly triggers: readonly SentTrigger[];
  readonly writes: readonly SentWrite[];
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

/** The report in a form that can be sent. */
export function sentReport({ error, triggers, writes, ...rest }: ReconcileReport): SentReport {
  return {
    type: "Reconcile",
    ...rest,
    triggers: triggers.map((trigger) => (trigger.type === "Retry" ? { ...trigger, error: sentError(trigger.error) } : trigger)),
    writes: writes.map((write) => ({ ...write, error: write.error === undefined ? undefined : sentError(write.error) })),
    error: error === undefined ? undefined : sentError(error),
  };
}

/** Whether a message of another process is a report. */
export function isSentReport(message: unknown): message is SentReport {
  return typeof message === "object" && message !== null && "type" in message && message.type === "Reconcile";
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
