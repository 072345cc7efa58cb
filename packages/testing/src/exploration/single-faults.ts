import type { Downtime, Fault } from "../simulation/plan.ts";
import type { TraceEntry, Write } from "../simulation/trace-entry.ts";
import type { ChildAtRest } from "./children-at-rest.ts";
import { interleaved } from "./interleaved.ts";
import { writesOf } from "./run-outcome.ts";
import type { RunOutcome } from "./run-outcome.ts";
import type { Surroundings } from "./surroundings.ts";

const gapsMs = [1, 30, 2500];
const downtimes: readonly Downtime[] = ["Short", "AcrossNextOp", "UntilQuiet"];

/** Every fault that can strike a run once, the most telling sorts first; within a sort, in the order of the run. */
export function singleFaults(
  reference: RunOutcome,
  { children = [], changes = [], drifts = [], refusals = [] }: Surroundings = {},
): readonly Fault[] {
  const ops = reference.plan.ops;
  // A call to the outside may change what cannot be seen from here, or decide what is done next.
  const writes = writesOf(reference).filter(({ isEffective, verb }) => isEffective || verb === "call");
  const lastOp = ops.length;
  const after = (write: Write): readonly Fault[] =>
    downtimes
      .filter((down) => down !== "AcrossNextOp" || write.ops < lastOp)
      .map((down) => ({ type: "Crash", at: write.anchor, point: "After", down }));
  const before = writes.filter((write, index) => isNewState(write, writes[index - 1]));
  const ofChildren = writes.filter((write) => isOfChild(write, children));
  const heard = reference.entries.filter((entry) => entry.type === "Heard");
  return [
    ...interleaved(writes.map(after)),
    ...ops.slice(0, -1).flatMap((op) => gapsMs.map((gapMs): Fault => ({ type: "Burst", op, gapMs }))),
    ...restarts(ops),
    ...writes.map(({ anchor }): Fault => ({ type: "LoseAnswer", at: anchor })),
    ...refusedOnce(writes, refusals),
    ...writes.filter(isEdit).map(({ anchor }): Fault => ({ type: "Interfere", at: anchor })),
    ...ofChildren.filter(isEdit).map(({ anchor }): Fault => ({ type: "Interfere", at: anchor, how: "Delete" })),
    ...ofChildren.filter(({ verb }) => verb !== "delete").map(({ anchor }): Fault => ({ type: "Overtake", at: anchor })),
    ...before.map(({ anchor }): Fault => ({ type: "Crash", at: anchor, point: "Before", down: "Short" })),
    ...lags(heard, lastOp),
    ...heard.map(({ anchor }): Fault => ({ type: "Disconnect", at: anchor })),
    ...reference.entries.flatMap((entry): Fault[] => (entry.type === "WebhookHeard" ? [{ type: "LateWebhook", at: entry.anchor }] : [])),
    ...children.map(({ op, object }): Fault => ({ type: "DeleteChild", op, object })),
    ...children.flatMap(({ op, object, hasReadyPods }): Fault[] => (hasReadyPods ? [{ type: "CrashPods", op, object }] : [])),
    ...changes,
    ...drifts,
    ...writes.filter(({ verb, isEffective }) => verb === "call" && isEffective).map(({ anchor }): Fault => ({ type: "Delay", at: anchor })),
    ...ops.flatMap((op, position) => travels(op, position, heard)),
  ];
}

/** A crash before a write is the crash after the one before it, unless something happened in between. */
function isNewState(write: Write, previous: Write | undefined): boolean {
  return previous === undefined || write.ops !== previous.ops || write.revision > previous.revision + 1;
}

/** Each write is refused by one error or the other, of which the operator hears; and once more so that the client tries again by itself, a second later. */
function refusedOnce(writes: readonly Write[], words: readonly string[]): readonly Fault[] {
  const [calls, requests] = [writes.filter(({ verb }) => verb === "call"), writes.filter(({ verb }) => verb !== "call")];
  return [
    ...calls.map(({ anchor }): Fault => ({ type: "Refuse", at: anchor })),
    ...words.flatMap((each) => calls.map(({ anchor }): Fault => ({ type: "Refuse", at: anchor, words: each }))),
    ...requests.map(({ anchor }, index): Fault => ({
      type: "Refuse",
      at: anchor,
      ...(index % 2 === 0 ? {} : { reason: "ServiceUnavailable" }),
    })),
    ...requests.map(({ anchor }): Fault => ({ type: "Refuse", at: anchor, reason: "TooManyRequests" })),
  ];
}

/** Where somebody else may have been faster: his edit may be lost, or the write refused. */
function isEdit({ existed, verb }: Write): boolean {
  return existed && (verb === "update" || verb === "patch");
}

/** Where somebody else may delete what is written. What is not a child is deleted because nobody wants it any more. */
function isOfChild({ object, subresource }: Write, children: readonly ChildAtRest[]): boolean {
  return subresource === undefined && children.some((child) => child.object === object);
}

function restarts(ops: readonly number[]): readonly Fault[] {
  return ops.flatMap((op, position): readonly Fault[] => [
    { type: "Restart", op, down: "Short" },
    ...(position < ops.length - 1 ? [{ type: "Restart", op, down: "AcrossNextOp" } as const] : []),
  ]);
}

function lags(heard: readonly (TraceEntry & { readonly type: "Heard" })[], lastOp: number): readonly Fault[] {
  return heard.flatMap(({ anchor, ops }): readonly Fault[] => [
    { type: "Lag", at: anchor, until: "Seconds" },
    ...(ops < lastOp ? [{ type: "Lag", at: anchor, until: "AfterNextOp" } as const] : []),
  ]);
}

/** From rest after an operation to every event that was heard before the operation. */
function travels(op: number, position: number, heard: readonly (TraceEntry & { readonly type: "Heard" })[]): readonly Fault[] {
  return heard.filter(({ ops }) => ops <= position).map(({ anchor }) => ({ type: "TimeTravel", op, to: anchor }));
}
