import type { JsonObject } from "@kaji/core";
import type { Leaf } from "./applied-leaves.ts";

/** How long an operator stays away after it was killed. */
export type Downtime = "Short" | "UntilQuiet" | "AcrossNextOp";

/** A write of the operator, named by what it does to which object, and by how often that was done before: so it is found again in a run that went another way until then. */
export interface WriteAnchor {
  readonly write: string;
  /** From 1 up. */
  readonly nth: number;
}

/** An event that the operator hears, or what its webhooks read from memory, named like a write. */
export interface EventAnchor {
  readonly event: string;
  readonly nth: number;
}

/** Why a server refuses a write that is right: it is not ready, or has so much to do that it asks to be asked again a second later. */
export type Refusal = "ServiceUnavailable" | "TooManyRequests";

/** One thing that goes wrong. Each is something that happens to operators in real clusters. */
export type Fault =
  /** The operator is killed just before or just after a write is done, without the answer. */
  | { readonly type: "Crash"; readonly at: WriteAnchor; readonly point: "Before" | "After"; readonly down: Downtime }
  /** The operator is killed when there is nothing to do, after an operation. */
  | { readonly type: "Restart"; readonly op: number; readonly down: Downtime }
  /** The server refuses a write for a reason of its own, by default an internal error; or the outside a call, where `words` is the name that the test has for how. Nothing is done. */
  | { readonly type: "Refuse"; readonly at: WriteAnchor; readonly reason?: Refusal; readonly words?: string }
  /** A write is done, but the answer is a timeout. */
  | { readonly type: "LoseAnswer"; readonly at: WriteAnchor }
  /** A call to the outside is on its way for so long that whoever has a deadline gives up, and is done in the end. */
  | { readonly type: "Delay"; readonly at: WriteAnchor }
  /** Somebody else is faster: just before an object is written, he puts a mark on it, or deletes it. */
  | { readonly type: "Interfere"; readonly at: WriteAnchor; readonly how?: "Delete" }
  /** The answer to a write of a child comes a second late: somebody deletes the child before, and the operator hears first what its watch tells of both. */
  | { readonly type: "Overtake"; readonly at: WriteAnchor }
  /** An event, and all that follow it on its stream, come late. */
  | { readonly type: "Lag"; readonly at: EventAnchor; readonly until: "Seconds" | "AfterNextOp" }
  /** The stream of an event breaks before it, and the history is lost: the operator lists anew, and never hears of what was in between. */
  | { readonly type: "Disconnect"; readonly at: EventAnchor }
  /** What webhooks read from memory hears of an event, and of all that follow it on its stream, some seconds late. */
  | { readonly type: "LateWebhook"; readonly at: EventAnchor }
  /** The next operation does not wait until there is nothing to do. */
  | { readonly type: "Burst"; readonly op: number; readonly gapMs: number }
  /** Somebody deletes a child, when there is nothing to do after an operation. */
  | { readonly type: "DeleteChild"; readonly op: number; readonly object: string }
  /** The pods of a child crash, when there is nothing to do after an operation, and run again. */
  | { readonly type: "CrashPods"; readonly op: number; readonly object: string }
  /** Somebody changes a field of a child that the operator applies, when there is nothing to do after an operation. */
  | { readonly type: "ChangeChild"; readonly op: number; readonly object: string; readonly field: string; readonly value: Leaf["value"] }
  /** What is outside is changed by somebody else, when there is nothing to do after an operation: `change` is the name that the test has for it. Nobody is told. */
  | { readonly type: "Drift"; readonly op: number; readonly change: string }
  /** The operator restarts, when there is nothing to do, on an API server that for some seconds has not heard of more than an earlier event. */
  | { readonly type: "TimeTravel"; readonly op: number; readonly to: EventAnchor };

/** Something that is refused. */
export type RefusedWrite = Extract<Fault, { readonly type: "Refuse" }>;

/** Somebody else who is faster. */
export type Interference = Extract<Fault, { readonly type: "Interfere" }>;

/** A run: which operations, and what goes wrong in it. */
export interface Plan {
  readonly seed: number;
  /** The operations that are done, by their index among those that the test gives. */
  readonly ops: readonly number[];
  /** What operations write, by their index, where that is not what the test says but something simpler. */
  readonly values?: Readonly<Record<string, JsonObject>>;
  readonly faults: readonly Fault[];
}
