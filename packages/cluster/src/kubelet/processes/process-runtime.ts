import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { RecentMap, objectKey } from "@kaji/core";
import type { Clock, ObjectKey } from "@kaji/core";
import type { Container, Pod } from "@kaji/types/core/v1";
import type { CommandEnd, ContainerCommand, ContainerStreams } from "../../kinds/core/container-command.ts";
import type {
  ContainerLog,
  ContainerRun,
  ContainerUsage,
  ImageState,
  PodNote,
  PodRuntime,
  RunState,
  StartedRun,
  StopOrder,
} from "../pod-runtime.ts";
import { checkOverNetwork } from "./check-over-network.ts";
import type { CommandLookup, ProgramLookup } from "./image-programs.ts";
import type { PodObjects } from "./pod-objects.ts";
import { PodProcesses } from "./pod-processes.ts";
import type { IssueToken } from "./pod-processes.ts";
import { hasPrivateRoots } from "./private-root.ts";
import type { CheckTarget } from "./probe-target.ts";
import { systemProcesses } from "./spawn-process.ts";
import type { SpawnProcess } from "./spawn-process.ts";

/** What containers are run with. */
export interface ProcessRuntimeOptions {
  readonly programs: ProgramLookup;
  /** Which commands of probes and hooks are run. Default none: they are simulated, as far as they can be. */
  readonly commands?: CommandLookup;
  /** Runs the containers for which there is no program. */
  readonly others: PodRuntime;
  readonly objects: PodObjects;
  readonly issueToken: IssueToken;
  /** The URL of the API server. */
  readonly server: string;
  readonly clock: Clock;
  /** At which address of this machine one of the cluster is reached. */
  readonly reach: (address: string) => string;
  /** The variables that every process has. Default `PATH`, `HOME` and `TMPDIR` as this process has them. */
  readonly variables?: ReadonlyMap<string, string>;
  /** Default as processes of this machine. */
  readonly spawn?: SpawnProcess;
  /** Whether processes have mounts of their own. Default if this machine lets them. */
  readonly hasPrivateRoots?: boolean;
  /** How probes look at a process. Default over the network. */
  readonly check?: CheckTarget;
}

const hasEnded = "the container has ended";
/** How long processes may take when the control plane ends. */
const lastGraceMs = 2000;
/** Of so many pods it is known that they are gone, should somebody who has not heard of it ask. */
const rememberedPods = 1000;

/**
 * Runs containers as processes of this machine. They have their environment, their volumes and an address of their own on loopback, but share file system, network and user with
 * everything else here: this is for programs that are trusted. Disposing of it ends all of them.
 */
export class ProcessRuntime implements PodRuntime, AsyncDisposable {
  readonly #options: ProcessRuntimeOptions;
  readonly #spawn: SpawnProcess;
  readonly #variables: ReadonlyMap<string, string>;
  readonly #hasPrivateRoots: boolean;
  readonly #folder = mkdtempSync(join(tmpdir(), "kaji-pods-"));
  readonly #pods = new Map<string, PodProcesses>();
  readonly #gone = new RecentMap<string, true>(rememberedPods);
  /** The containers of which it was said that they only seem to run, by pod and name. */
  readonly #noted = new RecentMap<string, true>(rememberedPods);
  readonly #ending = new Set<Promise<void>>();
  readonly #changeListeners = new Set<(pod?: ObjectKey) => void>();
  readonly #outputListeners = new Set<() => void>();
  readonly #noteListeners = new Set<(pod: Pod, note: PodNote) => void>();
  readonly #objectChanges: Disposable;
  /** What a pod's status has as running since before then was run by somebody else, and ended with them. To the second, as statuses are. */
  readonly #sinceMs: number;

  constructor(options: ProcessRuntimeOptions) {
    this.#options = options;
    this.#spawn = options.spawn ?? systemProcesses();
    this.#variables = options.variables ?? inherited(process.env);
    this.#hasPrivateRoots = options.hasPrivateRoots ?? hasPrivateRoots();
    this.#sinceMs = Math.floor(options.clock.now() / 1000) * 1000;
    this.#objectChanges = options.objects.onChange(() => this.#pods.forEach((pod) => unlessImpossible(pod.refresh())));
  }

  pull(run: ContainerRun): ImageState {
    if (this.#programOf(run.container) === undefined) {
      this.#noteOtherCommand(run);
      return this.#options.others.pull(run);
    }
    // A process is told its address, which its pod has one step after it has been set up.
    return run.pod.status?.podIP === undefined ? { type: "Pulling", untilMs: run.nowMs } : { type: "Present" };
  }

  observe(run: StartedRun): RunState {
    const program = this.#programOf(run.container);
    if (program === undefined) return this.#options.others.observe(run);
    const uid = uidOf(run.pod);
    const known = this.#pods.get(uid);
    if (known !== undefined) unlessImpossible(known.update(run.pod));
    const process = known?.find(run);
    if (process !== undefined) return process.state;
    if (this.#gone.get(uid) === true) return { type: "Exited", exitCode: killed, atMs: run.nowMs };
    if (run.startedAtMs < this.#sinceMs) return { type: "Exited", exitCode: lost, atMs: run.nowMs };
    const pod = known ?? this.#podProcesses(run.pod);
    this.#pods.set(uid, pod);
    return pod.start(run, program).state;
  }

  stop(run: StartedRun, order: StopOrder): RunState {
    if (this.#programOf(run.container) === undefined) return this.#options.others.stop(run, order);
    const process = this.#pods.get(uidOf(run.pod))?.find(run);
    process?.stop(order.graceMs);
    return process?.state ?? { type: "Exited", exitCode: killed, atMs: run.nowMs };
  }

  forget(pod: Pod): void {
    this.#options.others.forget(pod);
    const uid = uidOf(pod);
    const processes = this.#pods.get(uid);
    if (processes === undefined) return;
    this.#pods.delete(uid);
    this.#gone.set(uid, true);
    processes.stop(0);
    const ending = processes[Symbol.asyncDispose]().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  logs(run: StartedRun): ContainerLog {
    if (this.#programOf(run.container) === undefined) return this.#options.others.logs(run);
    return this.#pods.get(uidOf(run.pod))?.find(run)?.log ?? { lines: [] };
  }

  async run(run: StartedRun, command: ContainerCommand): Promise<CommandEnd> {
    if (this.#programOf(run.container) === undefined) return this.#options.others.run(run, command);
    const pod = this.#pods.get(uidOf(run.pod));
    return pod === undefined ? { type: "NotRun", why: hasEnded } : pod.run(run, command);
  }

  async attach(run: StartedRun, client: ContainerStreams, log: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Promise<CommandEnd> {
    if (this.#programOf(run.container) === undefined) return this.#options.others.attach(run, client, log);
    const process = this.#pods.get(uidOf(run.pod))?.find(run);
    return process === undefined ? { type: "NotRun", why: hasEnded } : process.attach(client);
  }

  usage(run: StartedRun): ContainerUsage | undefined {
    if (this.#programOf(run.container) === undefined) return this.#options.others.usage(run);
    return this.#pods.get(uidOf(run.pod))?.find(run)?.usage;
  }

  async dial(pod: Pod, port: number): Promise<Duplex> {
    if (!this.#pods.has(uidOf(pod))) return this.#options.others.dial(pod, port);
    const connection = connect({ port, host: this.#options.reach(pod.status?.podIP ?? "") });
    await once(connection, "connect");
    return connection;
  }

  onChange(listener: (pod?: ObjectKey) => void): Disposable {
    return listening(this.#changeListeners, listener, this.#options.others.onChange(listener));
  }

  onOutput(listener: () => void): Disposable {
    return listening(this.#outputListeners, listener, this.#options.others.onOutput(listener));
  }

  onNote(listener: (pod: Pod, note: PodNote) => void): Disposable {
    return listening(this.#noteListeners, listener, this.#options.others.onNote(listener));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#objectChanges[Symbol.dispose]();
    for (const pod of this.#pods.values()) pod.stop(lastGraceMs);
    await Promise.all([...this.#pods.values()].map((pod) => pod[Symbol.asyncDispose]()));
    await Promise.all(this.#ending);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #programOf(container: Container): readonly string[] | undefined {
    return this.#options.programs(container);
  }

  /** Says of a container whose image a program stands for, and whose command is another, that it only seems to run: it would look as if it did. */
  #noteOtherCommand({ pod, container }: ContainerRun): void {
    const [command] = container.command ?? [];
    const [program] = (command === undefined ? undefined : this.#programOf({ ...container, command: [] })) ?? [];
    const id = `${uidOf(pod)}/${container.name}`;
    if (program === undefined || this.#noted.get(id) === true) return;
    this.#noted.set(id, true);
    const message = `container ${container.name} only seems to run: its command is ${command}, and the program given for its image is ${program}, which is run for a command of the same name`;
    this.#noteListeners.forEach((listener) => listener(pod, { type: "Warning", reason: "Simulated", message }));
  }

  #podProcesses(pod: Pod): PodProcesses {
    const key = objectKey(pod.metadata);
    return new PodProcesses(pod, {
      check: checkOverNetwork,
      commands: () => undefined,
      ...this.#options,
      simulate: (run, command) => this.#options.others.run(run, command),
      spawn: this.#spawn,
      variables: this.#variables,
      hasPrivateRoots: this.#hasPrivateRoots,
      path: join(this.#folder, uidOf(pod)),
      onChange: () => this.#changeListeners.forEach((listener) => listener(key)),
      onOutput: () => this.#outputListeners.forEach((listener) => listener()),
      onNote: (note) => this.#noteListeners.forEach((listener) => listener(pod, note)),
    });
  }
}

/** That files cannot be written or tokens not be issued is told by the next process that needs them. */
function unlessImpossible(refreshed: Promise<void>): void {
  refreshed.catch(() => {});
}

/** The exit codes of what SIGKILL ended, and of what nobody knows how it ended. */
const killed = 137;
const lost = 255;

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}

function listening<T>(listeners: Set<T>, listener: T, others: Disposable): Disposable {
  listeners.add(listener);
  return {
    [Symbol.dispose]: () => {
      listeners.delete(listener);
      others[Symbol.dispose]();
    },
  };
}

/** What a program needs to find its way on this machine, and no more: the rest may be none of its business. */
function inherited(environment: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  return new Map(
    ["PATH", "HOME", "TMPDIR"].flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]] as const])),
  );
}
