import type { Duplex } from "node:stream";
import { sinkOf } from "@kaji/core";
import { HeaderBlocks, SpdyFrameReader, encodeSpdyFrame } from "@kaji/core/spdy";
import type { SpdyFrame } from "@kaji/core/spdy";
import { commandChannels } from "@kaji/core/web-socket";
import type { WebSocketSession } from "@kaji/core/web-socket";

/** Which channel a stream of SPDY stands for, by its header. */
const channels: Readonly<Record<string, number>> = { ...commandChannels, error: commandChannels.outcome };

/** Serves a command in SPDY, each of its streams apart, that runs at the other end of a WebSocket: what a kube-apiserver does, the other way round. */
export async function serveSpdyCommand(near: Duplex, far: WebSocketSession, streams: number): Promise<void> {
  using blocks = new HeaderBlocks();
  const sink = sinkOf(near);
  const send = (frame: SpdyFrame): Promise<void> => sink.write(encodeSpdyFrame(frame));
  const channelOf = new Map<number, number>();
  const reader = new SpdyFrameReader();
  let answering: Promise<void> | undefined;
  for await (const piece of near) {
    for (const frame of reader.push(piece)) {
      switch (frame.type) {
        case "Open": {
          const { streamtype = "" } = await blocks.read(frame.headers);
          channelOf.set(frame.stream, channels[streamtype] ?? -1);
          await send({ type: "Opened", stream: frame.stream, headers: await blocks.write({}) });
          if (channelOf.size === streams) answering ??= answer(channelOf, far, send);
          break;
        }
        case "Data":
          await pass(channelOf.get(frame.stream) ?? -1, frame.bytes, frame.isLast, far);
          break;
        case "Ping":
          await send(frame);
          break;
        case "Opened":
        case "Reset":
          break;
        default:
          frame satisfies never;
      }
    }
  }
  await far.close();
  await answering;
}

async function pass(channel: number, bytes: Uint8Array, isLast: boolean, far: WebSocketSession): Promise<void> {
  if (channel !== commandChannels.stdin && channel !== commandChannels.resize) return;
  if (bytes.byteLength > 0) await far.send(Buffer.concat([Buffer.of(channel), bytes]));
  if (isLast && channel === commandChannels.stdin) await far.send(Buffer.of(commandChannels.close, channel));
}

/** Says what the command says, and then that each stream has ended. */
async function answer(
  channelOf: ReadonlyMap<number, number>,
  far: WebSocketSession,
  send: (frame: SpdyFrame) => Promise<void>,
): Promise<void> {
  const streamOf = new Map([...channelOf].map(([stream, channel]) => [channel, stream]));
  for await (const message of far.messages()) {
    const stream = streamOf.get(message[0] ?? -1);
    if (stream !== undefined) await send({ type: "Data", stream, bytes: message.subarray(1), isLast: false });
    if (message[0] === commandChannels.outcome) break;
  }
  for (const stream of channelOf.keys()) await send({ type: "Data", stream, bytes: new Uint8Array(), isLast: true });
}
