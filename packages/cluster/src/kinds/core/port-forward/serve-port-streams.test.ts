import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import { HeaderBlocks, SpdyFrameReader, SpdySession, encodeSpdyFrame } from "@kaji/core/spdy";
import type { SpdyFrame } from "@kaji/core/spdy";
import { WebSocketSession } from "@kaji/core/web-socket";
import { servePortStreams } from "./serve-port-streams.ts";

function socketOn(connection: Duplex, isClient: boolean): WebSocketSession {
  const sink = {
    write: (bytes: Uint8Array) => new Promise<void>((resolve) => void connection.write(bytes, () => resolve())),
    end: () => void connection.end(),
  };
  return new WebSocketSession(connection, sink, isClient ? { mask: () => new Uint8Array([1, 2, 3, 4]) } : {});
}

/** A client of ports of which one repeats what it is told, and no other is there. */
class PortClient {
  readonly #socket: WebSocketSession;
  readonly #blocks = new HeaderBlocks();
  readonly served: Promise<void>;

  constructor() {
    const [near, far] = duplexPair();
    this.#socket = socketOn(near, true);
    const server = socketOn(far, false);
    const session = new SpdySession(server.messages(), (bytes) => server.send(bytes));
    this.served = servePortStreams(session, async (port) => {
      if (port !== 80) throw new Error(`nobody is at ${port}`);
      const [here, there] = duplexPair();
      there.pipe(there);
      return here;
    });
  }

  async open(stream: number, type: "error" | "data", port: number): Promise<void> {
    const headers = await this.#blocks.write({ streamtype: type, port: String(port), requestid: "7" });
    await this.send({ type: "Open", stream, headers, isLast: false });
  }

  send(frame: SpdyFrame): Promise<void> {
    return this.#socket.send(encodeSpdyFrame(frame));
  }

  /** What is said until both streams have ended. */
  async heard(): Promise<Readonly<Record<number, string>>> {
    const said: Record<number, string> = {};
    const reader = new SpdyFrameReader();
    const ended = new Set<number>();
    for await (const message of this.#socket.messages()) {
      for (const frame of reader.push(message)) {
        if (frame.type === "Data") said[frame.stream] = (said[frame.stream] ?? "") + Buffer.from(frame.bytes).toString();
        if (frame.type === "Data" && frame.isLast) ended.add(frame.stream);
        if (frame.type === "Opened") assert.deepEqual(await this.#blocks.read(frame.headers), {});
      }
      if (ended.size === 2) await this.#socket.close();
    }
    return said;
  }
}

test("[PF1] bytes go to the port and come back, and the end of either side is told", async () => {
  const client = new PortClient();
  await client.open(1, "error", 80);
  await client.open(3, "data", 80);
  await client.send({ type: "Data", stream: 1, bytes: new Uint8Array(), isLast: true });
  await client.send({ type: "Data", stream: 3, bytes: Buffer.from("hello"), isLast: true });
  assert.deepEqual(await client.heard(), { 1: "", 3: "hello" });
  await client.served;
});

test("[PF2] that nobody listens is said on the stream for errors", async () => {
  const client = new PortClient();
  await client.open(1, "error", 81);
  await client.open(3, "data", 81);
  assert.deepEqual(await client.heard(), { 1: "error forwarding port 81 to pod: nobody is at 81", 3: "" });
  await client.served;
});
