import type { Duplex } from "node:stream";
import type { ObjectKey } from "@kaji/core";
import type { Container, Pod } from "@kaji/types/core/v1";
import type { CommandEnd, ContainerCommand, ContainerStreams } from "../kinds/core/container-command.ts";

/**
 * Runs the containers of pods.
 *
 * It is asked again and again how far a container is, and answers from what is so at that moment: the kubelet keeps nothing of it but what stands
 * in the pod's status, so that it can be restarted at any time.
 */
export interface PodRuntime {
  /** Whether a container's image is there. */
  pull(run: ContainerRun): ImageState;
  /** How a container is doing; one that is not known yet is started. */
  observe(run: StartedRun): RunState;
  /** How a container is doing that was told to stop. */
  stop(run: StartedRun, order: StopOrder): RunState;
  /** Lets go of all that there is of a pod, which is gone. */
  forget(pod: Pod): void;
  /** What a container wrote. */
  logs(run: StartedRun): ContainerLog;
  /** Runs a command beside what a container runs. */
  run(run: StartedRun, command: ContainerCommand): Promise<CommandEnd>;
  /** Joins a client to what a container itself reads and writes from now on, until it ends or the client goes. The log is what it writes, line by line. */
  attach(run: StartedRun, client: ContainerStreams, log: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Promise<CommandEnd>;
  /** What a container uses of the machine; undefined if that cannot be told, as of one that only seems to run unless a test says it. */
  usage(run: StartedRun): ContainerUsage | undefined;
  /** Connects to a port of a pod. */
  dial(pod: Pod, port: number): Promise<Duplex>;
  /** Calls back when a pod may be doing otherwise than it said it would, or if none is named, any of them. */
  onChange(listener: (pod?: ObjectKey) => void): Disposable;
  /** Calls back when containers may have written something. */
  onOutput(listener: () => void): Disposable;
  /** Calls back with what is worth an event about a pod, and does not show in the states of its containers. */
  onNote(listener: (pod: Pod, note: PodNote) => void): Disposable;
}

/** An event to be recorded about a pod. */
export interface PodNote {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** What a container uses of a machine. */
export interface ContainerUsage {
  /** The time of processors since it began. */
  readonly cpuMs: number;
  /** The memory that it has at the moment. */
  readonly memoryBytes: number;
  /** How busy it has kept processors lately; undefined until that has been measured. */
  readonly load?: ProcessorLoad | undefined;
}

/** How busy something has kept processors for a while. */
export interface ProcessorLoad {
  /** How many of them, on average. */
  readonly cores: number;
  /** When that while ended. */
  readonly atMs: number;
  readonly windowMs: number;
}

/** What a container wrote, or the end of it. */
export interface ContainerLog {
  readonly lines: readonly string[];
  /** When each of these lines was written. Default all of them when the run began. */
  readonly times?: readonly number[];
  /** How many lines there were before these, which are not kept. Default none. */
  readonly dropped?: number;
}

/** One run of a container. */
export interface ContainerRun {
  readonly pod: Pod;
  readonly container: Container;
  /** What it is in its pod: one that runs before the others, beside them, or one of them. */
  readonly role: "Init" | "Sidecar" | "Main";
  /** How many runs there were before. */
  readonly restartCount: number;
  readonly nowMs: number;
}

/** A run that has begun. */
export interface StartedRun extends ContainerRun {
  /** To the second, as the pod's status has it. */
  readonly startedAtMs: number;
}

/** When a container was told to stop, and for how long it may take it. */
export interface StopOrder {
  /** To the second, where it is the pod's deletion that says so. */
  readonly sinceMs: number;
  readonly graceMs: number;
}

/** How far a node has come with the image of a container. */
export type ImageState =
  | { readonly type: "Present" }
  /** It will be there, but not before that time. */
  | { readonly type: "Pulling"; readonly untilMs: number }
  | { readonly type: "Failed"; readonly message: string };

/** What one run of a container has come to. */
export type RunState =
  | {
      readonly type: "Running";
      readonly isStarted: boolean;
      readonly isReady: boolean;
      /** When to ask again; undefined if nothing is going to happen by itself. */
      readonly nextChangeMs: number | undefined;
    }
  | { readonly type: "Exited"; readonly exitCode: number; readonly atMs: number; readonly message?: string };
