import { PassThrough } from "node:stream";
import type { JsonObject } from "@kaji/core";
import { commandChannels, commandProtocols as newerProtocols } from "@kaji/core/web-socket";
import type { WebSocket } from "@kaji/core/web-socket";
import { stringField } from "../json-fields.ts";
import type { CommandEnd, ContainerCommand } from "./container-command.ts";

/** The oldest, in which there is no outcome but for a message of what went wrong. */
const oldest = "channel.k8s.io";

/** In which commands are served, the best first. */
export const commandProtocols: readonly string[] = [...newerProtocols, oldest];

/** Which of its streams a command is joined to. */
export interface CommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Runs a command with its streams on a WebSocket, and says there how it ended. When the client goes, the command ends. */
export async function serveCommand(
  socket: WebSocket,
  protocol: string,
  streams: CommandStreams,
  run: (command: Omit<ContainerCommand, "words">) => Promise<CommandEnd>,
): Promise<void> {
  const gone = new AbortController();
  const stdin = new PassThrough();
  void listen(socket, stdin).finally(() => gone.abort());
  let sent: Promise<void> = Promise.resolve();
  const writer =
    (channel: number, isWanted: boolean) =>
    (bytes: Uint8Array): void => {
      if (isWanted) sent = socket.send(Buffer.concat([Buffer.of(channel), bytes]));
    };
  const end = await run({
    stdin: streams.stdin ? stdin : undefined,
    onStdout: writer(commandChannels.stdout, streams.stdout),
    onStderr: writer(commandChannels.stderr, streams.stderr),
    signal: gone.signal,
  });
  await sent;
  const outcome = outcomeOf(end);
  const told = protocol === oldest ? stringField(outcome, "message") : JSON.stringify(outcome);
  if (told !== "") await socket.send(Buffer.concat([Buffer.of(commandChannels.outcome), Buffer.from(told)]));
}

/** Passes on what the client sends, until it has gone. */
async function listen(socket: WebSocket, stdin: PassThrough): Promise<void> {
  try {
    for await (const message of socket.messages()) {
      const [channel, first] = message;
      if (channel === commandChannels.stdin) stdin.write(message.subarray(1));
      if (channel === commandChannels.close && first === commandChannels.stdin) stdin.end();
    }
  } catch {
    // It broke, or the client has been told what it did wrong: either way nobody waits any more.
  } finally {
    stdin.end();
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
