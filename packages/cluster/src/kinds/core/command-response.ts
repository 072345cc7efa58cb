import { spdyResponse, wantsSpdy, webSocketResponse } from "@kaji/apiserver";
import type { ApiResponse, RequestContext } from "@kaji/apiserver";
import { commandChannels, commandProtocols } from "@kaji/core/web-socket";
import type { CommandEnd, ContainerStreams } from "./container-command.ts";
import { serveCommand } from "./serve-command.ts";
import type { CommandStreams } from "./serve-command.ts";
import { SocketChannels } from "./socket-channels.ts";
import { SpdyChannels } from "./spdy-channels.ts";

/** In which commands are served on a WebSocket. Who names no subprotocol means the oldest. */
const socketProtocols: readonly string[] = [...commandProtocols, "v4.base64.channel.k8s.io", "channel.k8s.io", "base64.channel.k8s.io", ""];

/** Those that know of the size of a terminal, and those that do not. */
const sizedStreams: readonly string[] = ["v4.channel.k8s.io", "v3.channel.k8s.io"];
const spdyProtocols: readonly string[] = [...sizedStreams, "v2.channel.k8s.io", "channel.k8s.io"];

/** Joins a client to a command, in the way that it asks for: a WebSocket, or the SPDY of programs in Go. */
export function commandResponse(
  request: RequestContext,
  streams: CommandStreams,
  run: (streams: ContainerStreams) => Promise<CommandEnd>,
): ApiResponse {
  if (!wantsSpdy(request.headers)) {
    return webSocketResponse(request, socketProtocols, async (socket, protocol, gone) => {
      const channels = new SocketChannels(socket, protocol);
      // A client may wait for it, to know that it is heard.
      await channels.send(firstOutput(streams), new Uint8Array());
      await serveCommand({ channels, protocol, gone }, streams, run);
    });
  }
  return spdyResponse(request, spdyProtocols, async (session, protocol, gone) => {
    const channels = new SpdyChannels(session, streamsOf(streams, protocol));
    await serveCommand({ channels, protocol, gone }, streams, run);
    await channels.end();
  });
}

function firstOutput({ stdout, stderr }: CommandStreams): number {
  if (stdout) return commandChannels.stdout;
  return stderr ? commandChannels.stderr : commandChannels.outcome;
}

/** What a client opens, as its query says. */
function streamsOf({ stdin, stdout, stderr, tty }: CommandStreams, protocol: string): readonly number[] {
  return [
    commandChannels.outcome,
    ...(stdin ? [commandChannels.stdin] : []),
    ...(stdout ? [commandChannels.stdout] : []),
    ...(stderr ? [commandChannels.stderr] : []),
    ...(tty && sizedStreams.includes(protocol) ? [commandChannels.resize] : []),
  ];
}
