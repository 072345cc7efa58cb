import type { ObjectKey, Resource } from "@kaji/core";
import type { InformerState, InformerStats } from "@kaji/informer";
import type { Watched } from "../declare/declarations.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { Prioritized } from "../declare/priority.ts";

/** What there is left to do for a controller. */
export interface ControllerLoad {
  /** Keys that wait for a worker. */
  readonly queued: number;
  /** The same for each priority that a key has, and for some that keys had. */
  readonly queuedBy: ReadonlyMap<number, number>;
  /** Keys that wait for their time, such as retries. */
  readonly delayed: number;
  /** How long until the first of them is due; undefined when there is none. */
  readonly nextDueInMs: number | undefined;
  /** Reconciles under way. */
  readonly inFlight: number;
  /** Polls of its sources that are under way. */
  readonly looking: number;
  /** How long each reconcile under way has taken until now. */
  readonly workedMs: readonly number[];
  /** Objects whose last reconcile failed. */
  readonly failing: number;
}

/** A kind that a controller mirrors, with the state of its informer and how much that holds. */
export interface MirroredKind {
  readonly resource: Resource;
  readonly state: InformerState;
  readonly stats: InformerStats;
  readonly isSynced: boolean;
  /** Whether it is optional, and the server lacks it. */
  readonly isAbsent: boolean;
  /** Whether it came while the controller ran, which then does not wait for it. */
  readonly isAdded: boolean;
}

/** The watch of one more kind, until it is disposed of. */
export interface AddedWatch extends Disposable {
  /** Resolves when the keys of all existing objects of the kind are queued. */
  readonly synced: Promise<void>;
}

/** A controller in an environment. */
export interface RunningController {
  readonly controller: Controller;
  /** Resolves when all that it mirrors is there, and all keys that follow from that are queued. */
  readonly synced: Promise<void>;
  readonly load: ControllerLoad;
  /** The objects that are being reconciled. */
  readonly underWay: readonly ObjectKey[];
  readonly mirrored: readonly MirroredKind[];
  /** Reconciles until it is aborted; then finishes the reconciles under way, and takes no more. */
  run(signal: AbortSignal): Promise<void>;
  /** Asks for the reconcile of an object. */
  enqueue(key: ObjectKey | string, options?: Prioritized): void;
  /** Watches one more kind while it runs. */
  watch(watched: Watched): AddedWatch;
}
