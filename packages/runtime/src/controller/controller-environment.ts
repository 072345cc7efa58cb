import type { KubeClient } from "@kaji/client";
import type { Clock, Random } from "@kaji/core";
import type { Informers } from "@kaji/informer";
import type { ControllerObserver } from "./controller-observer.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Log } from "../log/log.ts";

/** What controllers run in: the server, the mirrors of it that they share, and where time and chance come from. */
export interface ControllerEnvironment {
  readonly client: KubeClient;
  /** Somebody else runs them. */
  readonly informers: Informers;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly recorder: EventRecorder;
  readonly observer?: ControllerObserver | undefined;
  /** Where controllers look. Default: all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  /** Resolves when this program may write. Until then mirrors fill, and controllers that need a leader reconcile nothing. Default: it may. */
  readonly elected?: Promise<void> | undefined;
  /** Asked before every write of a controller that needs a leader; throws once the lease is lost. Default: writes are allowed. */
  readonly fence?: (() => void) | undefined;
  /** Aborted when reconciles under way are to be given up, as when the lease is lost or the time to shut down is over. */
  readonly abandon?: AbortSignal | undefined;
}
