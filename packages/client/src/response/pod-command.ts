import { ApiError, refusal } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import type { ApiCaller } from "../request/api-caller.ts";
import { failedRequest } from "../transport-error.ts";
import { joinContainer } from "./container-streams.ts";
import type { AttachOptions, Outcome } from "./container-streams.ts";

/** How a command is run in a container. */
export interface ExecOptions extends AttachOptions {
  /** Ends the connection, and with it the command. */
  readonly signal?: AbortSignal | undefined;
}

/** What was written while somebody was attached, less what was taken as it came. */
export interface AttachResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command wrote, less what was taken as it came, and how it ended. */
export interface ExecResult extends AttachResult {
  readonly exitCode: number;
}

/** Where a container is joined, and what it takes. */
interface PodStreams extends AttachOptions {
  /** The path of the Pod's `exec` or `attach`. */
  readonly path: string;
  readonly random: Random;
  readonly clock: Clock;
}

/** A command that is to be run. */
export interface CommandRun extends PodStreams {
  readonly command: readonly string[];
}

/** Runs a command in a container, to its end. */
export async function runCommand(caller: ApiCaller, run: CommandRun): Promise<ExecResult> {
  const words = run.command.map((word) => `command=${encodeURIComponent(word)}`).join("&");
  const { outcome, stdout, stderr } = await joinContainer(caller, { ...run, path: `${run.path}?${words}`, until: "the command" });
  const exitCode = exitCodeOf(outcome);
  if (exitCode === undefined) throw failed(run.path, outcome);
  return { exitCode, stdout, stderr };
}

/** Joins what a container itself reads and writes, until it ends. */
export async function attachTo(caller: ApiCaller, join: PodStreams): Promise<AttachResult> {
  const { outcome, stdout, stderr } = await joinContainer(caller, { ...join, until: "the container" });
  if (exitCodeOf(outcome) === undefined) throw failed(join.path, outcome);
  return { stdout, stderr };
}

/** Undefined if it was not run. */
function exitCodeOf({ status, reason, details }: Outcome): number | undefined {
  if (status === "Success") return 0;
  if (reason !== "NonZeroExitCode") return undefined;
  return Number(details?.causes?.find((cause) => cause.reason === "ExitCode")?.message);
}

function failed(path: string, { message = "" }: Outcome): ApiError {
  return new ApiError(refusal("InternalError", message).status, { request: failedRequest({ method: "GET", path }) });
}
