import { PassThrough } from "node:stream";
import { errorMessage, sinkOf } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { commandChannels, commandProtocols } from "@kaji/core/web-socket";
import type { WebSocketSession } from "@kaji/core/web-socket";
import { stringField } from "../json-fields.ts";
import type { CommandEnd, ContainerCommand } from "./container-command.ts";

/** The oldest, in which there is no outcome but for a message of what went wrong. */
const oldest = "channel.k8s.io";

/** In which commands are served, the best first. */
export const servedProtocols: readonly string[] = [...commandProtocols, oldest];

/** So much is taken of what a command has not read yet. Only who listens on hears that a client goes. */
const mostUnread = 16 * 1024 ** 2;

/** Which of its streams a command is joined to. */
export interface CommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Where a command is joined to its client. */
export interface CommandConnection {
  readonly socket: WebSocketSession;
  readonly protocol: string;
  /** Aborted when the connection is gone. */
  readonly gone: AbortSignal;
}

/** Runs a command with its streams on a WebSocket, each as fast as it is read, and says there how it ended. When the client goes, the command ends. */
export async function serveCommand(
  { socket, protocol, gone }: CommandConnection,
  streams: CommandStreams,
  run: (command: Omit<ContainerCommand, "words">) => Promise<CommandEnd>,
): Promise<void> {
  const closed = new AbortController();
  const stdin = new PassThrough({ highWaterMark: mostUnread });
  void listen(socket, stdin).finally(() => closed.abort());
  const writer =
    (channel: number, isWanted: boolean) =>
    async (bytes: Uint8Array): Promise<void> => {
      if (isWanted) await socket.send(Buffer.concat([Buffer.of(channel), bytes]));
    };
  const command = {
    stdin: streams.stdin ? stdin : undefined,
    onStdout: writer(commandChannels.stdout, streams.stdout),
    onStderr: writer(commandChannels.stderr, streams.stderr),
    signal: AbortSignal.any([gone, closed.signal]),
  };
  const end = await run(command).catch((error: unknown): CommandEnd => ({ type: "NotRun", why: errorMessage(error) }));
  // What it has not read is wanted by nobody.
  stdin.destroy();
  const outcome = outcomeOf(end);
  const told = protocol === oldest ? stringField(outcome, "message") : JSON.stringify(outcome);
  if (told !== "") await socket.send(Buffer.concat([Buffer.of(commandChannels.outcome), Buffer.from(told)]));
}

/** Passes on what the client sends, until it has gone. */
async function listen(socket: WebSocketSession, stdin: PassThrough): Promise<void> {
  const input = sinkOf(stdin);
  try {
    for await (const message of socket.messages()) {
      const [channel, first] = message;
      if (channel === commandChannels.stdin) await input.write(message.subarray(1));
      if (channel === commandChannels.close && first === commandChannels.stdin) input.end();
    }
  } catch {
    // It broke, or the client has been told what it did wrong: either way nobody waits any more.
  } finally {
    input.end();
  }
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
