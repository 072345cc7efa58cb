import type { ObjectKey } from "@kaji/core";
import type { CountedOutcome } from "@kaji/runtime";
import type { ObjectId } from "./object-id.ts";
import type { EventAnchor, Fault, WriteAnchor } from "./plan.ts";

/** Something an operator looked at: which version it saw, and which there was. */
export interface Sight {
  readonly object: ObjectId;
  readonly seen: string | undefined;
  readonly current: string | undefined;
}

/** A write of the operator that came to its end at the server. */
export interface Write {
  readonly type: "Write";
  readonly life: number;
  readonly anchor: WriteAnchor;
  readonly verb: string;
  /** Without what the server made up of its name. */
  readonly object: string;
  readonly subresource: string | undefined;
  readonly code: number;
  /** The answer, where it is an object. */
  readonly uid: string | undefined;
  /** Whether it changed anything. */
  readonly isEffective: boolean;
  /** Whether the object was there before. */
  readonly existed: boolean;
  /** Of the reconcile that made it, how many there were before it. */
  readonly reconcile: number | undefined;
  /** How many operations were done before. */
  readonly ops: number;
  /** Revision of the storage just before. */
  readonly revision: number;
}

/** What happened in a run, one thing at a time. */
export type Happening =
  | { readonly type: "Op"; readonly index: number; readonly text: string }
  | { readonly type: "OpFailed"; readonly index: number; readonly error: string }
  | { readonly type: "Start"; readonly life: number }
  | { readonly type: "Crash"; readonly life: number }
  | Write
  | {
      readonly type: "Heard";
      readonly life: number;
      readonly anchor: EventAnchor;
      readonly object: ObjectId;
      readonly version: string;
      readonly ops: number;
    }
  /** What webhooks read from memory has heard of a change. */
  | { readonly type: "WebhookHeard"; readonly anchor: EventAnchor; readonly object: ObjectId; readonly version: string }
  | {
      readonly type: "Reconcile";
      readonly life: number;
      readonly number: number;
      readonly controller: string;
      readonly sight: Sight;
      readonly sights: readonly Sight[];
      /** Present where it is `finalize` that was called. */
      readonly isFinalizing?: true;
    }
  | {
      readonly type: "Ended";
      readonly life: number;
      readonly controller: string;
      readonly key: ObjectKey;
      readonly outcome: CountedOutcome;
      /** What it failed with, if it did. */
      readonly error: string | undefined;
    }
  /** Something that the test brings about, though nobody wants anything. */
  | { readonly type: "Prompt"; readonly text: string }
  | { readonly type: "Fault"; readonly fault: Fault; readonly text: string }
  | { readonly type: "Error"; readonly life: number; readonly text: string; readonly kind: ErrorKind };

/** What sort of failure an operator reported: a refusal of the server, a bug of its own, a promise it forgot, or something it may not do. */
export type ErrorKind = "Refusal" | "Other" | "Bug" | "Forgotten" | "Forbidden";

/** Something that happened, and when. */
export type TraceEntry = Happening & { readonly atMs: number };
