import { PassThrough } from "node:stream";
import { bytesText, errorMessage, sinkOf } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { commandChannels } from "@kaji/core/web-socket";
import { stringField } from "../json-fields.ts";
import type { CommandChannels } from "./command-channels.ts";
import type { CommandEnd, ContainerStreams, TerminalSize } from "./container-command.ts";
import { TerminalSizes } from "./terminal-sizes.ts";

/** So much is taken of what a command has not read yet. Only who listens on hears that a client goes. */
const mostUnread = 16 * 1024 ** 2;

/** Which of its streams a command is joined to. */
export interface CommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Whether they are a terminal, which has one stream for all that is written. */
  readonly tty: boolean;
}

/** Where a command is joined to its client. */
export interface CommandConnection {
  readonly channels: CommandChannels;
  readonly protocol: string;
  /** Aborted when the connection is gone. */
  readonly gone: AbortSignal;
}

/** Runs a command with its streams on channels, each as fast as it is read, and says there how it ended. When the client goes, the command ends. */
export async function serveCommand(
  { channels, protocol, gone }: CommandConnection,
  streams: CommandStreams,
  run: (streams: ContainerStreams) => Promise<CommandEnd>,
): Promise<void> {
  const closed = new AbortController();
  const stdin = new PassThrough({ highWaterMark: mostUnread });
  const sizes = new TerminalSizes();
  void listen(channels, stdin, sizes).finally(() => closed.abort());
  if (!(await channels.isOpen)) return;
  const writer =
    (channel: number, isWanted: boolean) =>
    async (bytes: Uint8Array): Promise<void> => {
      if (isWanted) await channels.send(channel, bytes);
    };
  const command = {
    stdin: streams.stdin ? stdin : undefined,
    onStdout: writer(commandChannels.stdout, streams.stdout),
    onStderr: writer(commandChannels.stderr, streams.stderr),
    terminal: streams.tty ? sizes : undefined,
    signal: AbortSignal.any([gone, closed.signal]),
  };
  const end = await run(command).catch((error: unknown): CommandEnd => ({ type: "NotRun", why: errorMessage(error) }));
  // What it has not read is wanted by nobody.
  stdin.destroy();
  sizes.end();
  const outcome = outcomeOf(end);
  const told = tellsExitCode(protocol) ? JSON.stringify(outcome) : stringField(outcome, "message");
  if (told !== "") await channels.send(commandChannels.outcome, Buffer.from(told));
}

/** In older protocols there is no outcome but for a message of what went wrong. */
function tellsExitCode(protocol: string): boolean {
  return /^v[45]\./.test(protocol);
}

/** Passes on what the client sends, until it has gone. */
async function listen(channels: CommandChannels, stdin: PassThrough, sizes: TerminalSizes): Promise<void> {
  const input = sinkOf(stdin);
  try {
    for await (const { channel, bytes, isLast } of channels.messages()) {
      if (channel === commandChannels.stdin) {
        await input.write(bytes);
        if (isLast) input.end();
      }
      if (channel === commandChannels.resize) resize(sizes, bytes);
    }
  } catch {
    // It broke, or the client has been told what it did wrong: either way nobody waits any more.
  } finally {
    input.end();
  }
}

/** Takes a size as clients tell it: `{"Width":80,"Height":24}`. What is none is passed over, as a real node does. */
function resize(sizes: TerminalSizes, text: Uint8Array): void {
  const size = sizeOf(text);
  if (size !== undefined) sizes.set(size);
}

function sizeOf(text: Uint8Array): TerminalSize | undefined {
  try {
    const { Width: columns, Height: rows }: Readonly<Record<string, unknown>> = JSON.parse(bytesText(text));
    return isLength(columns) && isLength(rows) ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}

/** As long as a terminal can be. */
function isLength(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 16;
}

const success = { metadata: {}, status: "Success" };
const failure = { metadata: {}, status: "Failure" };

/** As the real server says it, so that clients find the exit code. */
function outcomeOf(end: CommandEnd): JsonObject {
  if (end.type === "NotRun") {
    const message = `error executing command in container: ${end.why}`;
    return { ...failure, message, reason: "InternalError", details: { causes: [{ message }] }, code: 500 };
  }
  if (end.exitCode === 0) return success;
  return {
    ...failure,
    message: `command terminated with non-zero exit code: command terminated with exit code ${end.exitCode}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(end.exitCode) }] },
  };
}
