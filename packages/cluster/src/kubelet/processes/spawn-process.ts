import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TerminalSize } from "../../kinds/core/container-command.ts";
import type { ContainerUsage } from "../pod-runtime.ts";
import { killGroup, killSession } from "./kill-processes.ts";
import { sessionMembers, usageOf } from "./process-table.ts";
import { findTerminalHost, noTerminalHost, onTerminal, setTerminalSize, terminalOf } from "./pseudo-terminal.ts";
import type { PseudoTerminal, TerminalHost } from "./pseudo-terminal.ts";

/** What is run, and who is told what it writes. */
export interface ProcessRequest {
  /** The program and its arguments. */
  readonly program: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** Default the folder in which this process runs. */
  readonly folder?: string | undefined;
  /** Whether the program begins by making its own place, and says `begun` on file descriptor 3 when that is done. Default false. */
  readonly makesItsPlace?: boolean;
  /** The sizes of the terminal on which it is to run. Default on none. */
  readonly terminal?: AsyncIterable<TerminalSize> | undefined;
  /** What it is given to read. Default nothing. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  readonly onOutput: TakeOutput;
  /** What it writes to standard error, if it is on no terminal. Default as what it writes otherwise. */
  readonly onError?: TakeOutput;
}

/** Takes what a process writes. Where that takes time, the process writes no more until it is done. */
export type TakeOutput = (bytes: Uint8Array) => Promise<void> | void;

/** A process that has been started. */
export interface RunningProcess {
  /** Resolves when the process does what it is there for, or never will. */
  readonly begun: Promise<void>;
  /** Resolves when the process, and whatever it has started itself, is gone. */
  readonly ended: Promise<ProcessEnd>;
  /** Sends a signal to the process and whatever it has started itself. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  /** What these use of the machine; undefined where that cannot be told. */
  usage(): ContainerUsage | undefined;
}

/** How a process ended: with its own code, with 128 and the number of the signal that ended it, or not started at all. */
export interface ProcessEnd {
  readonly exitCode: number;
  /** Why it could not be started. */
  readonly failure?: string;
}

/** Starts a process. One that cannot be started ends at once. */
export type SpawnProcess = (request: ProcessRequest) => RunningProcess;

/** The exit code that containers have which could not be started. */
const notStarted = 128;

/** Starts processes of this machine, each in a group of its own. None outlives this process, as long as it is not killed itself. */
export function systemProcesses(findHost: () => TerminalHost | undefined = findTerminalHost): SpawnProcess {
  const families = new Set<ProcessFamily>();
  const killAll = (): void => families.forEach((family) => family.kill("SIGKILL"));
  let host: TerminalHost | undefined;
  return (request) => {
    const { makesItsPlace = false, terminal, input, onOutput, onError = onOutput } = request;
    if (terminal !== undefined) host ??= findHost();
    if (terminal !== undefined && host === undefined) return unstarted(noTerminalHost);
    const child = spawnChild(request, terminal === undefined ? undefined : host);
    const family = new ProcessFamily(child, { makesItsPlace, isOnTerminal: terminal !== undefined });
    if (families.size === 0) process.once("exit", killAll);
    families.add(family);
    void carry(child.stdout, onOutput);
    void carry(child.stderr, terminal === undefined ? onError : onOutput);
    // It may end without having read everything. A terminal has no end: who is on it is told by a key.
    if (input !== undefined && child.stdin !== null) pipeline(input, child.stdin, { end: terminal === undefined }).catch(() => {});
    if (terminal !== undefined) void family.follow(terminal);
    const ended = Promise.withResolvers<ProcessEnd>();
    child.once("error", (error) => {
      if (child.pid === undefined) ended.resolve({ exitCode: notStarted, failure: error.message });
    });
    // Whatever it has started would keep its output open, and in a container would be gone too.
    child.once("exit", () => family.kill("SIGKILL"));
    child.once("close", (code, signal) => {
      family.end();
      families.delete(family);
      if (families.size === 0) process.removeListener("exit", killAll);
      ended.resolve({ exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
    });
    return { begun: family.begun, ended: ended.promise, kill: (signal) => family.kill(signal), usage: () => family.usage() };
  };
}

function unstarted(failure: string): RunningProcess {
  return { begun: Promise.resolve(), ended: Promise.resolve({ exitCode: notStarted, failure }), kill: () => {}, usage: () => undefined };
}

function spawnChild(
  { program, variables, folder, makesItsPlace = false, input }: ProcessRequest,
  host: TerminalHost | undefined,
): ChildProcess {
  const words = host === undefined ? program : onTerminal(program, host, { takesDescriptor: makesItsPlace });
  const [file = "", ...args] = words;
  const isOnTerminal = host !== undefined;
  const stdio: StdioOptions = [
    input === undefined && !isOnTerminal ? "ignore" : "pipe",
    "pipe",
    "pipe",
    makesItsPlace || isOnTerminal ? "pipe" : "ignore",
  ];
  return spawn(file, args, { env: Object.fromEntries(variables), cwd: folder, detached: true, stdio });
}

/** A process and whatever it has started itself: its group, and if it runs on a terminal, the session on that. */
class ProcessFamily {
  readonly #group: number | undefined;
  #terminal: PseudoTerminal | undefined;
  #isOver = false;
  /** Whether it is still to be told on which terminal it runs. */
  #isUntold: boolean;
  readonly #told = Promise.withResolvers<void>();
  readonly #begun = Promise.withResolvers<void>();
  /** Resolves when the process does what it is there for, or never will. */
  readonly begun: Promise<void> = this.#begun.promise;

  constructor({ pid, stdio }: ChildProcess, { makesItsPlace, isOnTerminal }: { makesItsPlace: boolean; isOnTerminal: boolean }) {
    this.#group = pid;
    this.#isUntold = isOnTerminal;
    const [, , , said] = stdio;
    if (said instanceof Readable) void this.#listen(said);
    if (!makesItsPlace || !(said instanceof Readable)) this.#begun.resolve();
  }

  /** Has the terminal change its size as another does. */
  async follow(sizes: AsyncIterable<TerminalSize>): Promise<void> {
    await this.#told.promise;
    for await (const size of sizes) {
      // Then its device may be somebody else's.
      if (this.#terminal === undefined || this.#isOver) return;
      await setTerminalSize(this.#terminal, size);
    }
  }

  kill(signal: NodeJS.Signals): void {
    if (this.#isOver || this.#group === undefined) return;
    // Whoever is between a terminal and us would take the signal for itself. What cannot be taken is sent to both.
    if (this.#isUntold) void this.#told.promise.then(() => this.kill(signal));
    if (this.#isUntold && signal !== "SIGKILL") return;
    if (this.#terminal !== undefined) killSession(this.#terminal.leader, signal);
    // What is between a terminal and us ends by itself when nobody is left there.
    if (this.#terminal === undefined || signal === "SIGKILL") killGroup(this.#group, signal);
  }

  /** Each began a session of its own. */
  usage(): ContainerUsage | undefined {
    if (this.#isOver || this.#group === undefined || process.platform !== "linux") return undefined;
    return usageOf([this.#group, ...(this.#terminal === undefined ? [] : [this.#terminal.leader])].flatMap(sessionMembers));
  }

  /** The process is gone. */
  end(): void {
    this.#isOver = true;
  }

  /** Hears what is said before the process does what it is there for. */
  async #listen(said: Readable): Promise<void> {
    said.on("error", () => {}); // It closes then, which is an end like any other.
    for await (const line of createInterface({ input: said })) {
      this.#terminal ??= terminalOf(line);
      if (this.#terminal !== undefined) this.#tell();
      if (line === "begun") this.#begun.resolve();
    }
    this.#tell();
    this.#begun.resolve();
  }

  #tell(): void {
    this.#isUntold = false;
    this.#told.resolve();
  }
}

/** Hands on what a process writes. Whoever pauses a stream instead is overrun when the process ends: then Node has all of its streams flow. */
async function carry(output: Readable | null, take: TakeOutput): Promise<void> {
  if (output === null) return;
  try {
    for await (const bytes of output) await take(bytes);
  } catch {
    // It broke, or nobody takes any more: either way there is nothing left to hand on.
  }
}
