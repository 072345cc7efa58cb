import type { KubeClient } from "@kaji/client";
import type { Clock, Random, Resource, Transport } from "@kaji/core";
import type { Informers } from "@kaji/informer";
import type { ControllerObserver } from "./controller-observer.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Log } from "../log/log.ts";
import type { ShardGate } from "../sharding/shard-gate.ts";

/** What controllers run in: the API server, the informers that they share, and the sources of time and randomness. */
export interface ControllerEnvironment {
  readonly client: KubeClient;
  /** The caller runs them; a controller only acquires and releases. */
  readonly informers: Informers;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly recorder: EventRecorder;
  readonly observer?: ControllerObserver | undefined;
  /** Where controllers look. Default: all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  /** The kinds that some controller in here applies, so that whoever watches them shares its mirror, whoever comes first. Default: those of the controller itself. */
  readonly applied?: readonly Resource[] | undefined;
  /** Resolves when this replica is elected. Until then mirrors fill, and controllers that need a leader reconcile nothing. Default: elected. */
  readonly elected?: Promise<void> | undefined;
  /** Asked before every write of a controller that needs a leader; throws once the lease is lost. Default: writes are allowed. */
  readonly fence?: (() => void) | undefined;
  /** Which objects this replica reconciles, where replicas share those of controllers that need a leader: then these need none. Default: all. */
  readonly shards?: ShardGate | undefined;
  /** What requests to other clusters pass on their way, to be measured and traced; `server` is the address. Default: nothing. */
  readonly outward?: ((transport: Transport, server: string) => Transport) | undefined;
  /** Aborted when reconciles under way are to be abandoned: the lease is lost, or the shutdown timeout is over. */
  readonly abandon?: AbortSignal | undefined;
}
