import { parseJsonPointer } from "@kaji/core";
import type { Downtime, EventAnchor, Fault, Refusal, WriteAnchor } from "./plan.ts";

/** When a fault strikes. */
export interface FaultMoment {
  /** Whether users let time go by. Then nobody is away, and no event late, for as long as until the next operation. */
  readonly isWaiting: boolean;
}

/** Says in a few words what goes wrong. */
export function describeFault(fault: Fault, { isWaiting }: FaultMoment = { isWaiting: false }): string {
  switch (fault.type) {
    case "Crash":
      return `the operator is killed right ${fault.point.toLowerCase()} ${writeText(fault.at)}, ${downText(fault.down, isWaiting)}`;
    case "Restart":
      return `the operator is killed at rest after operation ${fault.op + 1}, ${downText(fault.down, isWaiting)}`;
    case "Refuse":
      return isCall(fault.at)
        ? `${writeText(fault.at)} ${fault.words === undefined ? "fails" : `is refused: ${fault.words}`}, and nothing is done`
        : `the server refuses ${writeText(fault.at)} ${refusalText(fault.reason)}`;
    case "LoseAnswer":
      return `${writeText(fault.at)} is done, but the answer is a timeout`;
    case "Delay":
      return `${writeText(fault.at)} is on its way for half a minute, and is done then`;
    case "Interfere":
      return `somebody else ${fault.how === "Delete" ? "deletes" : "edits"} the object just before ${writeText(fault.at)}`;
    case "Overtake":
      return `somebody deletes the object just after ${writeText(fault.at)}, and the answer comes after both are heard of`;
    case "Lag":
      return `${eventText(fault.at)} reaches the operator ${fault.until === "Seconds" || isWaiting ? "4 s late" : "only after the next operation"}`;
    case "Disconnect":
      return `the watch breaks before ${eventText(fault.at)}, and the operator lists anew 3 s later`;
    case "LateWebhook":
      return `${eventText(fault.at)} reaches what webhooks read from memory 4 s late`;
    case "Burst":
      return `operation ${fault.op + 2} follows ${fault.gapMs} ms after operation ${fault.op + 1}`;
    case "DeleteChild":
      return `somebody deletes ${fault.object} at rest after operation ${fault.op + 1}`;
    case "CrashPods":
      return `what runs for ${fault.object} crashes at rest after operation ${fault.op + 1}, and comes up again`;
    case "ChangeChild":
      return `somebody changes ${fieldText(fault.field)} of ${fault.object} to ${JSON.stringify(fault.value)} at rest after operation ${fault.op + 1}`;
    case "Drift":
      return `outside, at rest after operation ${fault.op + 1}: ${fault.change}`;
    case "TimeTravel":
      return `the operator restarts at rest after operation ${fault.op + 1}, on an API server that is behind by 20 s: it has seen no more than ${eventText(fault.to)}`;
    default:
      return fault satisfies never;
  }
}

/** Whether it is a call to the outside that is struck. */
export function isCall({ write }: WriteAnchor): boolean {
  return write.startsWith("call ");
}

/** A JSON pointer as people write it. */
function fieldText(field: string): string {
  return (parseJsonPointer(field) ?? [])
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);
}

function refusalText(reason: Refusal | undefined): string {
  switch (reason) {
    case undefined:
      return "with an internal error";
    case "ServiceUnavailable":
      return "since it is not available";
    case "TooManyRequests":
      return "since it has too much to do, and asks to be asked again a second later";
    default:
      return reason satisfies never;
  }
}

function writeText({ write, nth }: WriteAnchor): string {
  const text = write.split(" ").slice(0, -1).join(" ");
  return nth === 1 ? text : `${text} (occurrence ${nth})`;
}

function eventText({ event, nth }: EventAnchor): string {
  return nth === 1 ? `the event ${event}` : `the event ${event} (occurrence ${nth})`;
}

function downText(down: Downtime, isWaiting: boolean): string {
  if (isWaiting && down !== "Short") return "and is back a minute later";
  switch (down) {
    case "Short":
      return "and is back half a second later";
    case "UntilQuiet":
      return "and is back when all else has come to rest";
    case "AcrossNextOp":
      return "and is back after the next operation";
    default:
      return down satisfies never;
  }
}
