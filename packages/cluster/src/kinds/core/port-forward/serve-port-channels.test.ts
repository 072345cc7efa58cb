import assert from "node:assert/strict";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import { sinkOf } from "@kaji/core";
import { WebSocketSession } from "@kaji/core/web-socket";
import { SocketChannels } from "../socket-channels.ts";
import { servePortChannels } from "./serve-port-channels.ts";

/** A client of two ports: 80 repeats what it is told until it is told to end, and nobody is at 8081. */
class ChannelClient {
  readonly #socket: WebSocketSession;
  readonly served: Promise<void>;
  readonly programs: Duplex[] = [];

  constructor(...ports: readonly number[]) {
    const [near, far] = duplexPair();
    this.#socket = new WebSocketSession(near, sinkOf(near), { mask: () => new Uint8Array([1, 2, 3, 4]) });
    const server = new WebSocketSession(far, sinkOf(far));
    const dial = async (port: number): Promise<Duplex> => {
      if (port !== 80) throw new Error(`nobody is at ${port}`);
      const [here, there] = duplexPair();
      there.on("data", (bytes) => (String(bytes) === "bye" ? there.end() : there.write(bytes)));
      this.programs.push(there);
      return here;
    };
    this.served = servePortChannels(new SocketChannels(server, "v4.channel.k8s.io"), ports, dial).then(() => server.close());
  }

  say(channel: number, text: string): Promise<void> {
    return this.#socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text)]));
  }

  close(): Promise<void> {
    return this.#socket.close();
  }

  /** All bytes of each channel, until the server closes. */
  async heard(): Promise<Readonly<Record<number, string>>> {
    const said: Record<number, string> = {};
    for await (const message of this.#socket.messages()) {
      const channel = message[0] ?? assert.fail();
      said[channel] = (said[channel] ?? "") + Buffer.from(message.subarray(1)).toString("latin1");
    }
    return said;
  }
}

test("[PF3] each port has a channel for its bytes, and one for what goes wrong, and both begin with its number", async () => {
  const client = new ChannelClient(80, 8081);
  const heard = client.heard();
  await client.say(0, "hello");
  await client.say(2, "to nobody");
  await client.say(3, "not a channel of the client");
  await client.say(9, "no channel");
  await client.say(0, "bye");
  assert.deepEqual(await heard, {
    0: "\u0050\u0000hello",
    1: "\u0050\u0000",
    2: "\u0091\u001f",
    3: "\u0091\u001ferror forwarding port 8081 to pod: nobody is at 8081",
  });
  await client.served;
});

test("[PF3] a client that goes ends its connections", async () => {
  const client = new ChannelClient(80);
  const [program = assert.fail()] = client.programs;
  const ended = once(program, "end");
  await client.close();
  await ended;
  await client.served;
});
