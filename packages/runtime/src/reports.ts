export type { ReportedObject, ReportedRead } from "./reconcile/reconcile-report.ts";
export { isSentReport, sentReport } from "./reconcile/sent-report.ts";
export type { SentCall, SentError, SentReport, SentTrigger, SentWrite, TimedReport } from "./reconcile/sent-report.ts";
