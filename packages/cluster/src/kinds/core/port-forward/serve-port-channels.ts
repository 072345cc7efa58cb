import type { Duplex } from "node:stream";
import { errorMessage, sinkOf } from "@kaji/core";
import type { SocketChannels } from "../socket-channels.ts";
import type { DialPort } from "./serve-port-streams.ts";

/** As clients speak it that know no SPDY, such as those for Python, Java and Rust: each port has two channels of a WebSocket. Who names no subprotocol means this. */
export const portChannelsProtocols: readonly string[] = ["v4.channel.k8s.io", "v4.base64.channel.k8s.io", ""];

/** Carries one connection to each of these ports, until all have ended or the client goes. */
export async function servePortChannels(channels: SocketChannels, ports: readonly number[], dial: DialPort): Promise<void> {
  const connections = ports.map((port, index) => connect(channels, { port, channel: 2 * index }, dial));
  void listen(channels, connections);
  await Promise.all(connections.map(({ carried }) => carried));
}

/** A port and the channel of its bytes; what goes wrong is said on the next. */
interface PortChannel {
  readonly port: number;
  readonly channel: number;
}

/** A connection to a port, from when it is asked for. */
interface ChannelConnection {
  /** Resolves to nothing where nobody listens. */
  readonly far: Promise<Duplex | undefined>;
  /** Resolves when the port has ended, and all it said is sent. */
  readonly carried: Promise<void>;
}

function connect(channels: SocketChannels, { port, channel }: PortChannel, dial: DialPort): ChannelConnection {
  const fail = (error: unknown): Promise<void> =>
    channels.send(channel + 1, Buffer.from(`error forwarding port ${port} to pod: ${errorMessage(error)}`));
  const opened = dial(port);
  const carry = async (): Promise<void> => {
    // So that a client knows what each channel is for.
    const number = Buffer.of(port & 0xff, port >> 8);
    await channels.send(channel, number);
    await channels.send(channel + 1, number);
    try {
      for await (const bytes of await opened) await channels.send(channel, bytes);
    } catch (error) {
      await fail(error);
    }
  };
  return { far: opened.catch(() => undefined), carried: carry() };
}

/** Passes on what the client sends, until it has gone. Others wait while a port takes what it is given: nothing here says how much of one may come. */
async function listen(channels: SocketChannels, connections: readonly ChannelConnection[]): Promise<void> {
  const far = connections.map((connection) => connection.far);
  const sinks = far.map(async (opened) => {
    const port = await opened;
    return port === undefined ? undefined : sinkOf(port);
  });
  try {
    for await (const { channel, bytes } of channels.messages()) {
      // A channel for what goes wrong is the server's alone.
      if (channel % 2 === 0) await (await sinks[channel / 2])?.write(bytes);
    }
  } catch {
    // It broke, or the client has been told what it did wrong: either way nobody waits any more.
  }
  for (const opened of far) (await opened)?.destroy();
}
