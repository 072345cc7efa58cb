import type { StorageEvent } from "@kaji/apiserver";

/** A part of a cluster that watches and writes. It goes by what it finds, so that it can start at any time. */
export interface ControlLoop {
  /** No two of a cluster have the same. */
  readonly id: string;
  /** Whether a change may give it something to do; asked while it rests. */
  readonly isConcerned: (change: StorageEvent) => boolean;
  /** Calls back when something other than a change gives it something to do. Default: nothing does. */
  readonly onCause?: (wake: () => void) => Disposable;
  readonly start: () => Promise<RunningLoop>;
}

/** A control loop at work, until it is disposed of. */
export interface RunningLoop extends AsyncDisposable {
  /** Whether nothing is left to do before something changes or its time comes. */
  readonly isIdle: boolean;
  /** How long until something is due; undefined when nothing is. */
  readonly nextDueInMs: number | undefined;
}
