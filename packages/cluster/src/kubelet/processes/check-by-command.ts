import type { CommandEnd, ContainerCommand } from "../../kinds/core/container-command.ts";
import type { Verdict } from "./probe-target.ts";

/** As much of what a command writes as anybody is told. */
const mostBytes = 10 * 1024;

/** Looks by a command in a container, which says by its exit code what it has found. */
export async function checkByCommand(
  run: (command: ContainerCommand) => Promise<CommandEnd>,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Verdict> {
  const written: Uint8Array[] = [];
  let size = 0;
  const take = async (bytes: Uint8Array): Promise<void> => {
    if (size < mostBytes) written.push(bytes);
    size += bytes.length;
  };
  try {
    const end = await run({ words, stdin: undefined, terminal: undefined, onStdout: take, onStderr: take, signal });
    if (signal.aborted) return timedOut;
    if (end.type === "NotRun") return { type: "Unknown", why: end.why };
    return end.exitCode === 0 ? { type: "Well" } : { type: "Unwell", why: Buffer.concat(written).subarray(0, mostBytes).toString("utf8") };
  } catch (error) {
    if (signal.aborted) return timedOut;
    throw error;
  }
}

const timedOut: Verdict = { type: "Unwell", why: "command timed out" };
