import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Watchdog } from "./watchdog.ts";

const shownLines = 15;

/** What a server needs besides its arguments. */
export interface ServerOptions {
  readonly watchdog: Watchdog;
  /** Where its output goes: a file, so that a busy or blocked process of ours never holds the server up. */
  readonly logFile: string;
}

/** A running program that is not expected to end by itself. */
export interface ServerProcess extends AsyncDisposable {
  readonly name: string;
  readonly path: string;
  readonly flags: readonly string[];
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Resolves when the program could not be started or ended before it was disposed of; the message has its last lines. */
  readonly died: Promise<Error>;
  /** The last lines of its output, for error messages. */
  lastLines(): string;
}

/** Starts a server. Disposing of it kills it at once, since nothing it holds is to survive. */
export function startServer(path: string, flags: readonly string[], { watchdog, logFile }: ServerOptions): ServerProcess {
  const name = basename(path);
  const log = openSync(logFile, "w");
  const child = spawn(path, flags, { stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  const guard = watchdog.guard(child);

  const died = Promise.withResolvers<Error>();
  const ended = Promise.withResolvers<void>();
  let stopping = false;
  const lastLines = (): string => readLastLines(logFile);
  child.once("error", (cause) => {
    died.resolve(new Error(`${name} could not be started: ${cause.message}`, { cause }));
    ended.resolve();
  });
  child.once("exit", (code, signal) => {
    guard[Symbol.dispose]();
    if (!stopping) died.resolve(new Error(`${name} ended with ${signal ?? `exit code ${code}`}${lastLines()}`));
    ended.resolve();
  });
  return {
    name,
    path,
    flags,
    pid: child.pid,
    died: died.promise,
    lastLines,
    async [Symbol.asyncDispose]() {
      stopping = true;
      child.kill("SIGKILL");
      await ended.promise;
    },
  };
}

function readLastLines(logFile: string): string {
  const lines = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-shownLines);
  return lines.join("") === "" ? "; it printed nothing" : `; its last lines:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
