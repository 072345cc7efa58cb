import type { Coverage, Explored } from "../exploration/coverage.ts";
import type { Finding } from "../exploration/finding.ts";
import type { Violation } from "../exploration/violation.ts";
import { describeFault } from "../simulation/describe-fault.ts";
import type { Operation } from "../simulation/operation.ts";
import { callerOf } from "../simulation/stories.ts";
import { adviceOn, ruleOf } from "./advice.ts";
import { culpritOf } from "./culprit.ts";
import { howFound, sizeOf } from "./how-found.ts";
import { replayCommand } from "./replay-command.ts";
import { timeline } from "./timeline.ts";

/** So many differences are named. */
const mostDetails = 8;

/** The report of an exploration, for a terminal. */
export function formatFindings({ findings, coverage, operations }: Explored): string {
  return [
    ...findings.map((finding, index) => findingText(finding, index + 1, operations)),
    exploredLine(coverage),
    ...coverage.unstruck,
    ...coverage.idleMasks,
    ...coverage.notExplored.map((text) => `Not explored: ${text}`),
  ].join("\n");
}

/** What was explored, in a line: how many plans of each sort of fault, of all that there are. */
export function exploredLine({ runs, seconds, writes, events, faults }: Coverage): string {
  const counts = Object.entries(faults).map(([type, { planned, explored }]) => `${type} ${explored}/${planned}`);
  const plans = counts.length === 0 ? "" : `: ${counts.join(", ")}`;
  return `Explored: ${runs} runs in ${seconds.toFixed(1)} s over ${writes} writes and ${events} events${plans}`;
}

const unrepeated = "what it does depends on real time, chance, I/O, or on what an earlier run left in memory, such as in a module variable";

function findingText(finding: Finding, number: number, operations: readonly Operation[]): string {
  const { violation, plan, isReproducible, entries } = finding;
  const { why, fix } = adviceOn(finding);
  const culprit = culpritOf(finding);
  const caller = culprit === undefined ? undefined : callerOf(culprit);
  const details = furtherDetails(violation);
  return [
    `✗ ${number}. ${violation.oracle.toUpperCase()}  ${violation.message}`,
    ...details.slice(0, mostDetails).map((detail) => `     ${detail}`),
    ...(details.length > mostDetails ? [`     … and ${details.length - mostDetails} more`] : []),
    `   What must hold: ${ruleOf(violation.oracle)}.`,
    "",
    `   Smallest scenario (${sizeOf(plan)})`,
    ...scenario(finding, operations).map((line, index) => `     ${index + 1}  ${line}`),
    "",
    "   Timeline (time is virtual, and the number after @ the resourceVersion)",
    ...timeline(entries, culprit).map((line) => `     ${line}`),
    "",
    `   Why it can happen: ${why}`,
    `   Likely fix: ${fix}`,
    ...(caller === undefined ? [] : [`   Look at: ${caller}`]),
    `   ${howFound(finding)}`,
    ...(isReproducible ? [] : [`   It was not the same when it was run again: ${unrepeated}.`]),
    `   Replay: ${replayCommand(plan, operations)}`,
    "",
  ].join("\n");
}

/** What the message does not say itself. */
export function furtherDetails({ message, details = [] }: Violation): readonly string[] {
  return details.filter((detail) => !message.startsWith(detail));
}

/** The operations of a plan, with what goes wrong where it does. */
function scenario({ plan, entries }: Finding, operations: readonly Operation[]): readonly string[] {
  const struck = entries.filter((entry) => entry.type === "Op" || entry.type === "Fault");
  const lines = struck.map((entry) => (entry.type === "Op" ? `user   ${entry.text}` : `FAULT  ${entry.text}`));
  if (lines.length > 0) return lines;
  return [...plan.ops.map((op) => `user   ${operations[op]?.text ?? ""}`), ...plan.faults.map((fault) => `FAULT  ${describeFault(fault)}`)];
}
