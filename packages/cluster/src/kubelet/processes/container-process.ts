import { thrownError } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Container, LifecycleHandler, Probe } from "@kaji/types/core/v1";
import type { CommandEnd, ContainerStreams } from "../../kinds/core/container-command.ts";
import type { ContainerLog, ContainerUsage, PodNote, RunState, StartedRun } from "../pod-runtime.ts";
import { LoadMeter } from "../load-meter.ts";
import { runHook } from "./container-hooks.ts";
import { ContainerProbes } from "./container-probes.ts";
import { ContainerStdio } from "./container-stdio.ts";
import type { CheckTarget } from "./probe-target.ts";
import { ProcessLog } from "./process-log.ts";
import { takenPortHint } from "./taken-port.ts";
import type { ProcessEnd, ProcessRequest, RunningProcess, SpawnProcess } from "./spawn-process.ts";

/** What one run of a container needs. */
export interface ContainerProcessOptions {
  readonly run: StartedRun;
  /** Where the process is reached. */
  readonly address: string;
  /** Gets ready what the process needs, and says what is run. */
  readonly prepare: () => Promise<PreparedProcess>;
  readonly spawn: SpawnProcess;
  readonly check: CheckTarget;
  readonly clock: Clock;
  /** Is told that the process has started, become ready or ended. */
  readonly onChange: () => void;
  readonly onOutput: () => void;
  readonly onNote: (note: PodNote) => void;
}

/** A process that can be started. */
export interface PreparedProcess extends Omit<ProcessRequest, "onOutput" | "onError" | "input" | "terminal"> {
  /** A line of its output as it is shown. */
  readonly show: (line: string) => string;
  /** What it has left behind to say why it ended. */
  readonly message: () => string;
}

/** One run of a container as a process, from its preparation to its end. */
export class ContainerProcess {
  readonly #options: ContainerProcessOptions;
  readonly #probes: ContainerProbes;
  readonly #stdio: ContainerStdio;
  readonly #probing = new AbortController();
  /** Aborted when nobody waits for the hook any more that runs before the process is told to stop. */
  readonly #hooking = new AbortController();
  #log: ProcessLog;
  #process: RunningProcess | undefined;
  /** There is one while the process runs. */
  #meter: LoadMeter | undefined;
  #end: (RunState & { readonly type: "Exited" }) | undefined;
  /** When it was told to stop, on the monotonic clock. */
  #stoppedMs: number | undefined;
  /** Whether the process itself has been told. */
  #isTold = false;
  #graceMs = 0;
  /** Before that it is not killed, on the monotonic clock. */
  #notBeforeMs = 0;
  #killTimer: Disposable | undefined;
  readonly #begun = Promise.withResolvers<void>();
  /** Resolves when the container does what it is there for, or has ended without. */
  readonly begun: Promise<void> = this.#begun.promise;
  /** Resolves when the process is gone, however it ended. */
  readonly ended: Promise<void>;

  constructor(options: ContainerProcessOptions) {
    this.#options = options;
    this.#log = new ProcessLog(() => options.clock.now());
    const { run, address, clock, check, onChange, onNote } = options;
    this.#stdio = new ContainerStdio(run.container);
    const onFailure = (kind: string, probe: Probe): void => {
      const message = `Container ${run.container.name} failed ${kind} probe, will be restarted`;
      onNote({ type: "Normal", reason: "Killing", message });
      this.stop(graceMsOf(run, probe));
    };
    this.#probes = new ContainerProbes(run.container, { address, clock, check, onChange, onNote, onFailure });
    this.ended = this.#live();
  }

  get state(): RunState {
    if (this.#end !== undefined) return this.#end;
    const { isStarted, isReady } = this.#probes;
    const isWanted = this.#options.run.role !== "Init" && this.#stoppedMs === undefined;
    return { type: "Running", isStarted, isReady: isReady && isWanted, nextChangeMs: undefined };
  }

  get log(): ContainerLog {
    return this.#log;
  }

  get usage(): ContainerUsage | undefined {
    const usage = this.#process?.usage();
    return usage && { ...usage, load: this.#meter?.load };
  }

  /** Joins a client to what the process reads and writes, until either is gone. */
  async attach(client: ContainerStreams): Promise<CommandEnd> {
    await this.#stdio.join(client, this.ended);
    return { type: "Exited", exitCode: 0 };
  }

  /**
   * Ends the process: first its hook runs, then it is asked to, and when the time it is given is over, not. That time counts from the beginning of the hook, but leaves the process
   * two seconds in any case. Told again, it may have less time left.
   */
  stop(graceMs: number): void {
    const { clock, run } = this.#options;
    if (this.#end !== undefined) return;
    this.#probing.abort();
    const isFirst = this.#stoppedMs === undefined;
    this.#stoppedMs ??= clock.monotonic();
    this.#graceMs = graceMs;
    const { preStop } = run.container.lifecycle ?? {};
    const isHooked = preStop !== undefined && graceMs > 0 && this.#process !== undefined && !this.#hooking.signal.aborted;
    if (isFirst && isHooked) void this.#stopByHook(preStop);
    else if (isFirst) this.#tell();
    this.#wait();
  }

  /** Ends the process without its hook. */
  end(graceMs: number): void {
    this.#hooking.abort();
    this.stop(graceMs);
  }

  async #stopByHook(preStop: LifecycleHandler): Promise<void> {
    const { run, onNote } = this.#options;
    const { signal } = this.#hooking;
    const isDone = await runHook(preStop, run.container, this.#options, signal);
    if (!isDone && !signal.aborted) onNote({ type: "Warning", reason: "FailedPreStopHook", message: "PreStopHook failed" });
    if (this.#end === undefined && !this.#isTold) this.#tellAfterHook();
  }

  #tellAfterHook(): void {
    this.#notBeforeMs = this.#options.clock.monotonic() + leastGraceMs;
    this.#tell();
    this.#wait();
  }

  #tell(): void {
    this.#isTold = true;
    if (this.#graceMs > 0) this.#process?.kill("SIGTERM");
  }

  /** Waits for what has to happen when the time is over. */
  #wait(): void {
    const { clock } = this.#options;
    this.#killTimer?.[Symbol.dispose]();
    const nowMs = clock.monotonic();
    const untilMs = this.#graceMs === 0 ? nowMs : Math.max((this.#stoppedMs ?? nowMs) + this.#graceMs, this.#notBeforeMs);
    if (untilMs > nowMs) this.#killTimer = clock.timer(untilMs - nowMs, () => this.#timeIsOver());
    else this.#timeIsOver();
  }

  #timeIsOver(): void {
    if (this.#isTold || this.#graceMs === 0) return this.#process?.kill("SIGKILL");
    this.#hooking.abort();
    this.#tellAfterHook();
  }

  async #live(): Promise<void> {
    const { run, prepare, clock, onChange } = this.#options;
    let message = "";
    let end: ProcessEnd;
    try {
      const prepared = await prepare();
      end = await this.#run(prepared);
      message = end.failure ?? finalMessage(run.container, end.exitCode, prepared.message(), this.#log);
      if (end.exitCode !== 0) this.#noteTakenPort();
    } catch (error) {
      end = { exitCode: notStarted };
      message = thrownError(error).message;
    }
    this.#begun.resolve();
    this.#hooking.abort();
    this.#killTimer?.[Symbol.dispose]();
    this.#end = { type: "Exited", exitCode: end.exitCode, atMs: clock.now(), ...(message === "" ? {} : { message }) };
    onChange();
  }

  #noteTakenPort(): void {
    const { run, address, onNote } = this.#options;
    const message = takenPortHint(run.container.name, this.#log.lines, address);
    if (message !== undefined) onNote({ type: "Warning", reason: "PortTaken", message });
  }

  async #run({ show, message: _message, ...request }: PreparedProcess): Promise<ProcessEnd> {
    const { spawn, clock, onOutput } = this.#options;
    if (this.#stoppedMs !== undefined) return { exitCode: killed };
    const log = new ProcessLog(() => clock.now(), show);
    this.#log = log;
    const { input, terminal } = this.#stdio;
    const writer =
      (stream: "onStdout" | "onStderr") =>
      (bytes: Uint8Array): Promise<void> => {
        log.write(bytes);
        onOutput();
        return this.#stdio.tell(stream, bytes);
      };
    this.#process = spawn({ ...request, input, terminal, onOutput: writer("onStdout"), onError: writer("onStderr") });
    using meter = new LoadMeter(clock, () => this.#process?.usage()?.cpuMs);
    this.#meter = meter;
    void this.#process.begun.then(this.#begun.resolve);
    const probing = this.#lookAfter(this.#process);
    const end = await this.#process.ended;
    this.#probing.abort();
    this.#stdio.end();
    await probing;
    log.end();
    onOutput();
    return end;
  }

  /** Has the hook run that follows the start, and the probes after it. */
  async #lookAfter(process: RunningProcess): Promise<void> {
    const { run, onNote } = this.#options;
    const { signal } = this.#probing;
    const { postStart } = run.container.lifecycle ?? {};
    if (postStart !== undefined) {
      await process.begun;
      const isDone = await runHook(postStart, run.container, this.#options, signal);
      if (!isDone && !signal.aborted) {
        onNote({ type: "Warning", reason: "FailedPostStartHook", message: "PostStartHook failed" });
        onNote({ type: "Normal", reason: "Killing", message: "FailedPostStartHook" });
        this.stop(graceMsOf(run));
      }
    }
    if (!signal.aborted) await this.#probes.run(signal);
  }
}

/** How long a process has at least that is asked to end after its hook. */
const leastGraceMs = 2000;

/** The exit codes of what SIGKILL ended, and of what could not be started. */
const killed = 137;
const notStarted = 128;

const defaultGraceSeconds = 30;

function graceMsOf({ pod }: StartedRun, { terminationGracePeriodSeconds }: Partial<Probe> = {}): number {
  return (terminationGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds) * 1000;
}

/** What a container said for its end, or if it failed and wants that, the end of its log. */
function finalMessage({ terminationMessagePolicy }: Container, exitCode: number, said: string, log: ProcessLog): string {
  const isSilent = said === "" && exitCode !== 0 && terminationMessagePolicy === "FallbackToLogsOnError";
  return isSilent ? log.tail(80, 2048) : said;
}
