import { ApiError, bytesText, parseJsonBytes, refusal, thrownError } from "@kaji/core";
import type { JsonValue, Random } from "@kaji/core";
import { commandChannels, commandProtocols } from "@kaji/core/web-socket";
import type { WebSocketSession } from "@kaji/core/web-socket";
import type { ApiCaller } from "../request/api-caller.ts";
import { TransportError, failedRequest } from "../transport-error.ts";
import { openWebSocket } from "./open-web-socket.ts";

/** How a command is run in a container. */
export interface ExecOptions {
  /** Needed if the Pod has several containers. */
  readonly container?: string | undefined;
  /** What the command is given to read. Default nothing. */
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** How many bytes the command may write before it is given up. Default 16 MiB. */
  readonly mostOutput?: number | undefined;
  /** Ends the connection, and with it the command. */
  readonly signal?: AbortSignal | undefined;
}

/** What a command wrote, and how it ended. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const defaultMostOutput = 16 * 1024 ** 2;

/** Where a command is run, and what it takes. */
export interface CommandRun extends ExecOptions {
  /** The path of the Pod's `exec`. */
  readonly path: string;
  readonly command: readonly string[];
  readonly random: Random;
}

/** Runs a command in a container, to its end. */
export async function runCommand(caller: ApiCaller, run: CommandRun): Promise<ExecResult> {
  const { command, container, stdin, mostOutput = defaultMostOutput, signal, random } = run;
  const words = command.map((word) => `command=${encodeURIComponent(word)}`).join("&");
  const query = { container, stdin: stdin === undefined ? undefined : true, stdout: true, stderr: true };
  const call = { method: "GET", path: `${run.path}?${words}`, query, signal } as const;
  const { socket, protocol } = await openWebSocket(caller, call, commandProtocols, random);
  let inputFailure: Error | undefined;
  if (stdin !== undefined) {
    // A command may end without having read everything, but must not wait for what will never come.
    write(socket, stdin, protocol === commandProtocols[0]).catch((error: unknown) => {
      if (!socket.isClosed) inputFailure = thrownError(error);
      return socket.close();
    });
  }
  const output = new CommandOutput(mostOutput);
  try {
    for await (const message of socket.messages()) {
      output.take(message);
      if (output.outcome === undefined) continue;
      await socket.close();
      // Nothing follows, and whoever is between may keep the connection.
      break;
    }
  } finally {
    await socket.close();
    // Whatever an aborted connection says of its end.
    signal?.throwIfAborted();
  }
  if (inputFailure !== undefined) throw inputFailure;
  const request = failedRequest(call);
  if (output.outcome === undefined) throw new TransportError("Interrupted", "the connection ended before the command did", { request });
  const exitCode = exitCodeOf(output.outcome);
  if (exitCode === undefined) throw new ApiError(refusal("InternalError", output.outcome.message ?? "").status, { request });
  return { exitCode, stdout: output.stdout, stderr: output.stderr };
}

/** Gives a command what it is to read, for as long as it runs. Where the end of it cannot be told, the command waits for more. */
async function write(socket: WebSocketSession, stdin: NonNullable<ExecOptions["stdin"]>, canEnd: boolean): Promise<void> {
  const pieces = typeof stdin === "string" ? [Buffer.from(stdin)] : stdin instanceof Uint8Array ? [stdin] : stdin;
  for await (const piece of pieces) {
    if (socket.isClosed) return;
    await socket.send(Buffer.concat([Buffer.of(commandChannels.stdin), piece]));
  }
  if (canEnd) await socket.send(Buffer.of(commandChannels.close, commandChannels.stdin));
}

/** What has come of a command. */
class CommandOutput {
  /** How it ended; undefined while it has not. */
  outcome: CommandOutcome | undefined;
  readonly #pieces: { readonly channel: number | undefined; readonly bytes: Uint8Array }[] = [];
  readonly #most: number;
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get stdout(): string {
    return this.#text(commandChannels.stdout);
  }

  get stderr(): string {
    return this.#text(commandChannels.stderr);
  }

  take(message: Uint8Array): void {
    const [channel] = message;
    const bytes = message.subarray(1);
    if (channel === commandChannels.outcome) this.outcome = outcomeOf(parseJsonBytes(bytes));
    else this.#pieces.push({ channel, bytes });
    this.#length += bytes.byteLength;
    if (this.#length > this.#most) throw new RangeError(`the command wrote more than ${this.#most} bytes, which is mostOutput`);
  }

  #text(of: number): string {
    return bytesText(Buffer.concat(this.#pieces.filter(({ channel }) => channel === of).map(({ bytes }) => bytes)));
  }
}

/** A Status whose reasons are other than those of refusals. */
interface CommandOutcome {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

/** As the API documents it. */
function outcomeOf(said: JsonValue): CommandOutcome {
  return said as CommandOutcome;
}

/** Undefined if the command was not run. */
function exitCodeOf({ status, reason, details }: CommandOutcome): number | undefined {
  if (status === "Success") return 0;
  if (reason !== "NonZeroExitCode") return undefined;
  return Number(details?.causes?.find((cause) => cause.reason === "ExitCode")?.message);
}
