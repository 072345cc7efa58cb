import { fork } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Counts } from "./counts.ts";

/** What became of the tests of some files that shared a process. */
export interface BatchOutcome {
  readonly files: readonly string[];
  /** None if it did not get so far. */
  readonly counts: Counts | undefined;
  readonly output: string;
  /** Why not all is well, if it is not. */
  readonly problem: string | undefined;
}

const program = fileURLToPath(new URL("batch.ts", import.meta.url));
/** It must be there before the test runner is. */
const untracked = `--import=${new URL("untracked-promises.ts", import.meta.url).href}`;

/**
 * Runs the tests of some files in a process of their own.
 *
 * Not all is well unless it has ended by itself, with code 0: a test that fails says so by that code, and so does an error that comes when the test that has caused it is long over.
 */
export async function runBatch(files: readonly string[], nodeOptions: readonly string[]): Promise<BatchOutcome> {
  // Node's own runner would take the process for one of its files.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = fork(program, files, { execArgv: [...nodeOptions, untracked], env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  let counts: Counts | undefined;
  child.on("message", (sent) => (counts = sent as Counts));
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once("close", (code, signal) => resolve(signal ?? `code ${code}`));
  const printed = await Promise.all([child.stdout, child.stderr].map(textOf));
  const end = await ended;
  const isWell = counts !== undefined && end === "code 0";
  return { files, counts, output: printed.join(""), problem: isWell ? undefined : `it ended with ${end}` };
}

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? "" : text(stream);
}
