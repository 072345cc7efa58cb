import { bodyBytes, bytesText, parseTime } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { annotatedUsage } from "../kinds/core/usage-annotation.ts";
import { consumptionOf } from "./consumption.ts";
import type { Consumption } from "./consumption.ts";
import { commandOutcome } from "./command-outcome.ts";
import type { CommandOutcome } from "./command-outcome.ts";
import type { CommandEnd, ContainerCommand, ContainerStreams } from "../kinds/core/container-command.ts";
import { fullImageName } from "./image-reference.ts";
import { measuringMs } from "./load-meter.ts";
import type { ContainerLog, ContainerRun, ContainerUsage, ImageState, PodRuntime, RunState, StartedRun, StopOrder } from "./pod-runtime.ts";
import { PodScripts } from "./pod-script.ts";
import { onSimulatedTerminal } from "./simulated-terminal.ts";

/** How long what takes time on a real node takes here. Default: no time at all. */
export interface SimulatedDelays {
  /** From the pod's being on the node to its containers' start. */
  readonly startMs?: number;
  /** From a container's start to its being ready. */
  readonly readyMs?: number;
  /** From the order to stop to the container's end. */
  readonly stopMs?: number;
}

/** Images that tests name to see them fail. */
const unknownImage = /[:/.-](?:non-?existent|invalid|404)\b/;

/**
 * Containers that only seem to run: they start, are ready, and run until they are stopped, unless their command or a test says otherwise.
 * An init container whose command says nothing ends well at once.
 */
export class SimulatedRuntime implements PodRuntime {
  /** Where a test says what pods do. */
  readonly pods: PodScripts;
  readonly #clock: Clock;
  readonly #delays: Required<SimulatedDelays>;
  /** When containers began and were told to stop, to the millisecond, by the uid of the pod and by container and run. */
  readonly #moments = new Map<string, Map<string, number>>();

  constructor(clock: Clock, { startMs = 0, readyMs = 0, stopMs = 0 }: SimulatedDelays = {}, pods: PodScripts = new PodScripts(clock)) {
    this.#clock = clock;
    this.pods = pods;
    this.#delays = { startMs, readyMs, stopMs };
  }

  /** Runs the same pods in the same way, from now on independently. */
  copy(clock: Clock): SimulatedRuntime {
    const copy = new SimulatedRuntime(clock, this.#delays, this.pods.copy(clock));
    for (const [uid, moments] of this.#moments) copy.#moments.set(uid, new Map(moments));
    return copy;
  }

  pull({ pod, container, role, nowMs }: ContainerRun): ImageState {
    const { image = "" } = container;
    const { pullFailure } = this.pods.of(pod, container.name, role === "Init");
    const name = fullImageName(image);
    const why = pullFailure ?? (unknownImage.test(image) ? "not found" : undefined);
    if (why !== undefined)
      return {
        type: "Failed",
        message: `failed to pull and unpack image "${name}": failed to resolve reference "${name}": ${name}: ${why}`,
      };
    const { startTime } = pod.status ?? {};
    const untilMs = startTime === undefined ? nowMs : parseTime(startTime) + this.#delays.startMs;
    return nowMs < untilMs ? { type: "Pulling", untilMs } : { type: "Present" };
  }

  observe(run: StartedRun): RunState {
    const { nowMs } = run;
    const startMs = this.#momentOf(run, "start", run.startedAtMs);
    const exit = this.#exitOf(run, startMs);
    if (exit !== undefined && exit.atMs <= nowMs) return { type: "Exited", ...exit };
    const isReady = this.pods.of(run.pod, run.container.name, run.role === "Init").isReady ?? true;
    const readyMs = startMs + this.#delays.readyMs;
    const changes = [exit?.atMs, isReady && readyMs > nowMs ? readyMs : undefined].filter((ms) => ms !== undefined);
    return {
      type: "Running",
      isStarted: true,
      isReady: isReady && nowMs >= readyMs && run.role !== "Init",
      nextChangeMs: changes.length === 0 ? undefined : Math.min(...changes),
    };
  }

  stop(run: StartedRun, { sinceMs, graceMs }: StopOrder): RunState {
    const exit = this.#exitOf(run, this.#momentOf(run, "start", run.startedAtMs));
    if (exit !== undefined && exit.atMs <= run.nowMs) return { type: "Exited", ...exit };
    const { stopMs } = this.#delays;
    const atMs = Math.max(run.startedAtMs, this.#momentOf(run, "stop", sinceMs) + Math.min(stopMs, graceMs));
    if (stopMs > 0 && run.nowMs < atMs) return { type: "Running", isStarted: true, isReady: false, nextChangeMs: atMs };
    return { type: "Exited", exitCode: stopMs > graceMs ? killed : terminated, atMs: run.nowMs };
  }

  forget({ metadata }: Pod): void {
    this.#moments.delete(metadata.uid ?? "");
  }

  logs(run: StartedRun): ContainerLog {
    const { logs } = this.pods.of(run.pod, run.container.name, run.role === "Init");
    return { lines: logs ?? outcomeOf(run).lines };
  }

  run(run: StartedRun, { words, ...client }: ContainerCommand): Promise<CommandEnd> {
    return onSimulatedTerminal(client, (streams) => this.#run(run, { words, ...streams }));
  }

  async attach(
    { container }: StartedRun,
    client: ContainerStreams,
    log: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  ): Promise<CommandEnd> {
    await onSimulatedTerminal(client, async ({ terminal, onStdout, signal }) => {
      if (terminal !== undefined)
        await onStdout(Buffer.from(`container ${container.name} is simulated: nothing reads what is typed here, and Ctrl-C leaves it\n`));
      for await (const piece of log(signal)) await onStdout(piece);
      return wentWell;
    });
    return wentWell;
  }

  async #run({ pod, container, role }: StartedRun, { words, stdin, onStdout, onStderr, signal }: ContainerCommand): Promise<CommandEnd> {
    const { onCommand } = this.pods.of(pod, container.name, role === "Init");
    const answer = await onCommand?.({ words, pod, container: container.name, stdin: await textOf(stdin) });
    if (answer !== undefined) {
      const { stdout = "", stderr = "", exitCode = 0 } = answer;
      if (stdout !== "") await onStdout(Buffer.from(stdout));
      if (stderr !== "") await onStderr(Buffer.from(stderr));
      return { type: "Exited", exitCode };
    }
    const { lines, exit } = commandOutcome(words, this.#clock.now());
    if (exit === undefined) {
      return {
        type: "NotRun",
        why: `the container is simulated, and nobody has said what ${JSON.stringify(words[0])} does in it (pods.match(…).onCommand(…))`,
      };
    }
    for (const line of lines) await onStdout(Buffer.from(`${line}\n`));
    await this.#clock.sleep(exit.afterMs, signal);
    return { type: "Exited", exitCode: exit.code };
  }

  usage({ pod, container, role, startedAtMs, nowMs }: StartedRun): ContainerUsage | undefined {
    const script = this.pods.of(pod, container.name, role === "Init").usage;
    const consumption = script === undefined ? annotatedConsumption(pod) : script(pod);
    if (consumption === undefined) return undefined;
    const { cores, memoryBytes } = consumption;
    return { cpuMs: cores * (nowMs - startedAtMs), memoryBytes, load: { cores, atMs: nowMs, windowMs: measuringMs } };
  }

  async dial({ metadata }: Pod, port: number): Promise<never> {
    throw new Error(`nothing listens on port ${port} of ${metadata.name}, whose containers are simulated`);
  }

  onChange(listener: () => void): Disposable {
    return this.pods.onChange(listener);
  }

  onOutput(listener: () => void): Disposable {
    return this.pods.onChange(listener);
  }

  onNote(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  #exitOf(run: StartedRun, startMs: number): { readonly exitCode: number; readonly atMs: number } | undefined {
    const { exit } = this.pods.of(run.pod, run.container.name, run.role === "Init");
    if (exit !== undefined) return { exitCode: exit.code, atMs: Math.max(startMs, exit.notBeforeMs) };
    const outcome = outcomeOf(run);
    if (outcome.exit !== undefined) return { exitCode: outcome.exit.code, atMs: startMs + outcome.exit.afterMs };
    return run.role === "Init" ? { exitCode: 0, atMs: startMs } : undefined;
  }

  /** A moment to the millisecond. Objects have whole seconds, so what is first seen within that second happens now; what is older happened at the second. */
  #momentOf({ pod, container, restartCount, nowMs }: StartedRun, what: "start" | "stop", secondMs: number): number {
    const uid = pod.metadata.uid ?? "";
    const moments = this.#moments.get(uid) ?? new Map<string, number>();
    const key = `${what} ${container.name}/${restartCount}`;
    const known = moments.get(key) ?? (nowMs - secondMs < 1000 ? nowMs : secondMs);
    this.#moments.set(uid, moments.set(key, known));
    return known;
  }
}

const wentWell: CommandEnd = { type: "Exited", exitCode: 0 };

/** The exit codes of a process that SIGTERM ended, and of one that SIGKILL ended. */
const terminated = 143;
const killed = 137;

function outcomeOf({ container, startedAtMs }: StartedRun): CommandOutcome {
  return commandOutcome([...(container.command ?? []), ...(container.args ?? [])], startedAtMs);
}

function annotatedConsumption(pod: Pod): Consumption | undefined {
  const usage = annotatedUsage(pod);
  return usage && consumptionOf(usage);
}

async function textOf(stdin: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  return stdin === undefined ? "" : bytesText(await bodyBytes(stdin));
}
