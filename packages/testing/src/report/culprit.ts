import type { Finding } from "../exploration/finding.ts";
import type { TraceEntry, Write } from "../simulation/trace-entry.ts";

/** Where to begin reading: the failure itself, the write that says what is not so, the last write to what the violation is about once something had gone wrong, the first reconcile that left it as it was, or what went wrong itself. */
export function culpritOf({ violation, entries }: Finding): TraceEntry | undefined {
  const { oracle, subject, reconcile = Infinity } = violation;
  const fault = entries.findIndex(({ type }) => type === "Fault");
  if (oracle === "exception" || oracle === "forgotten promise" || oracle === "least privilege")
    return entries.find((entry) => entry.type === "Error" && entry.text === subject);
  if (oracle === "invariant") return brokenBy(violation, entries, fault);
  if (oracle === "status honesty") return entries.findLast((entry) => entry.type === "Write" && isSaid(entry, subject, reconcile));
  if (violation.isPrompted === true) return prompted(entries, subject);
  const write = entries.findLast((entry, index) => index > fault && entry.type === "Write" && isAbout(entry, oracle, subject));
  if (write !== undefined) return write;
  if (oracle === "convergence") return entries.findLast(({ type }) => type === "Error");
  // Where nothing is tried any more, it is what was struck that should have been tried again.
  return oracle === "end state" ? (firstInVain(entries.slice(fault + 1)) ?? entries[fault]) : undefined;
}

/** The write that broke what must always hold, unless it was another's; or the first reconcile that left what must hold in the end as it was. */
function brokenBy({ after }: Finding["violation"], entries: readonly TraceEntry[], fault: number): TraceEntry | undefined {
  if (after === undefined) return firstInVain(entries.slice(fault + 1));
  const next = entries.slice(after).find((entry) => entry.type === "Write" || entry.type === "Op");
  return next?.type === "Write" && next.isEffective ? next : undefined;
}

/** The first write to an object that nothing but a prompt of the test has led to, or the failure that came of it. */
function prompted(entries: readonly TraceEntry[], subject: string): TraceEntry | undefined {
  let isPrompted = false;
  return entries.find((entry) => {
    if (entry.type === "Prompt" || entry.type === "Op") isPrompted = entry.type === "Prompt";
    const isIt = entry.type === "Write" ? subject.startsWith(entry.object) : entry.type === "Error";
    return isPrompted && isIt;
  });
}

/** The first of the reconciles at the end that write nothing, or the last reconcile of all. */
function firstInVain(entries: readonly TraceEntry[]): TraceEntry | undefined {
  const lastWrite = entries.findLastIndex((entry) => entry.type === "Write" && entry.isEffective);
  const isReconcile = ({ type }: TraceEntry): boolean => type === "Reconcile";
  return entries.slice(lastWrite + 1).find(isReconcile) ?? entries.findLast(isReconcile);
}

/** Whether it is what the status of an object says up to a reconcile. */
function isSaid({ object, subresource, isEffective, reconcile = 0 }: Write, subject: string, last: number): boolean {
  return isEffective && object === subject && subresource === "status" && reconcile <= last;
}

function isAbout({ verb, object, isEffective }: Write, oracle: Finding["violation"]["oracle"], subject: string): boolean {
  if (oracle === "protected delete" && verb !== "delete") return false;
  if (oracle === "over-create") return isEffective && verb === "create" && object.startsWith(`${subject.split(" ")[0] ?? ""} `);
  return isEffective && subject.startsWith(object);
}
