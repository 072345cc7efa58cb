import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Readable } from "node:stream";
import type { Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";

/** What is run, and who is told what it writes. */
export interface ProcessRequest {
  /** The program and its arguments. */
  readonly program: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** Default the folder in which this process runs. */
  readonly folder?: string | undefined;
  /** Whether the program begins by making its own place, and closes file descriptor 3 when that is done. Default false. */
  readonly makesItsPlace?: boolean;
  /** What it is given to read. Default nothing. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  readonly onOutput: TakeOutput;
  /** What it writes to standard error. Default as what it writes otherwise. */
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
export function systemProcesses(): SpawnProcess {
  const groups = new Set<number>();
  const killAll = (): void => groups.forEach((group) => killGroup(group, "SIGKILL"));
  return ({ program: [file = "", ...args], variables, folder, makesItsPlace = false, input, onOutput, onError = onOutput }) => {
    const child = spawn(file, args, {
      env: Object.fromEntries(variables),
      cwd: folder,
      detached: true,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe", makesItsPlace ? "pipe" : "ignore"],
    });
    const { pid } = child;
    if (pid !== undefined) {
      if (groups.size === 0) process.once("exit", killAll);
      groups.add(pid);
    }
    void carry(child.stdout, onOutput);
    void carry(child.stderr, onError);
    // It may end without having read everything.
    if (input !== undefined && child.stdin !== null) pipeline(input, child.stdin).catch(() => {});
    const ended = Promise.withResolvers<ProcessEnd>();
    child.once("error", (error) => {
      if (pid === undefined) ended.resolve({ exitCode: notStarted, failure: error.message });
    });
    // Whatever it has started would keep its output open, and in a container would be gone too.
    child.once("exit", () => pid !== undefined && killGroup(pid, "SIGKILL"));
    child.once("close", (code, signal) => {
      if (pid !== undefined) groups.delete(pid);
      if (groups.size === 0) process.removeListener("exit", killAll);
      ended.resolve({ exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
    });
    return {
      begun: closed(child.stdio[3]),
      ended: ended.promise,
      kill: (signal) => (groups.has(pid ?? 0) ? killGroup(pid ?? 0, signal) : undefined),
    };
  };
}

/** Resolves when the other side of a stream is closed everywhere. */
async function closed(stream: Readable | Writable | null | undefined): Promise<void> {
  if (!(stream instanceof Readable)) return;
  // One that breaks is closed too.
  await finished(stream.resume()).catch(() => {});
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

function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // It is gone already, which some systems call EPERM until it has been waited for.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}
