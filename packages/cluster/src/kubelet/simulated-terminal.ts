import { bytesText } from "@kaji/core";
import type { CommandEnd, ContainerStreams } from "../kinds/core/container-command.ts";

const ctrlC = 0x03;
/** The exit code of what Ctrl-C has ended. */
const interrupted = 130;

/** Does as if something ran on the terminal of its client, if that has one: all of its output comes there, Ctrl-C ends it, and nothing else that is typed is read. */
export async function onSimulatedTerminal(
  client: ContainerStreams,
  run: (streams: ContainerStreams) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  if (client.terminal === undefined) return run(client);
  const interrupt = new AbortController();
  const ended = Promise.withResolvers<CommandEnd>();
  interrupt.signal.addEventListener("abort", () => ended.resolve({ type: "Exited", exitCode: interrupted }), { once: true });
  void listenFor(ctrlC, client.stdin).then((isTyped) => isTyped && interrupt.abort());
  const onStdout = (bytes: Uint8Array): Promise<void> => client.onStdout(Buffer.from(bytesText(bytes).replaceAll("\n", "\r\n")));
  const signal = AbortSignal.any([client.signal, interrupt.signal]);
  run({ ...client, stdin: undefined, onStdout, onStderr: onStdout, signal }).then(ended.resolve, ended.reject);
  return ended.promise;
}

/** Whether a key is typed before the client goes. */
async function listenFor(key: number, typed: AsyncIterable<Uint8Array> | undefined): Promise<boolean> {
  try {
    for await (const bytes of typed ?? []) if (bytes.includes(key)) return true;
  } catch {
    // Nobody listens to the client any more.
  }
  return false;
}
