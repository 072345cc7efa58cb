import type { Clock, KubeObject, ObjectKey, Random, Transport } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { MappingReads } from "./declarations.ts";
import type { Log } from "../log/log.ts";
import type { Prioritized } from "./priority.ts";

/** Something outside the cluster that asks for reconciles. */
export interface Source<T extends KubeObject> {
  readonly name: string;
  /** Runs until it is aborted. What it throws is reported, and it is started again with backoff. */
  run(context: SourceContext<T>): Promise<void>;
}

/** What a source works with. */
export interface SourceContext<T extends KubeObject> {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** All objects that the controller looks after, at this moment. */
  readonly objects: () => Iterable<DeepReadonly<T>>;
  /** The keys of all of them, for which no object has to be parsed. */
  readonly keys: () => Iterable<ObjectKey>;
  /** Reads from the mirrors of the controller, such as the Secret with the credentials for what is outside. */
  readonly reads: MappingReads;
  /** Runs work that counts in the load of the controller until it has ended, such as a poll: a test that waits until a controller is idle waits for it. */
  readonly working: <R>(work: () => Promise<R> | R) => Promise<R>;
  /** A way to the API server of another cluster, on which requests are measured and traced, and writes fenced, as on the way to the operator's own. */
  readonly outward: (transport: Transport, server: string) => Transport;
  /** Asks for the reconcile of an object. */
  readonly enqueue: (key: ObjectKey | string, options?: Prioritized) => void;
}
