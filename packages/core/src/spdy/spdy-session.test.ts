import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { HeaderBlocks } from "./header-blocks.ts";
import { SpdyFrameReader, encodeSpdyFrame } from "./spdy-frames.ts";
import type { SpdyFrame } from "./spdy-frames.ts";
import { SpdySession } from "./spdy-session.ts";
import type { StreamEvent } from "./spdy-session.ts";

/** What a server takes for done when a client has sent these frames and gone, and all frames of its answer. */
async function exchange(
  frames: readonly SpdyFrame[],
  say: (session: SpdySession) => Promise<void> = async () => {},
): Promise<{ readonly events: readonly unknown[]; readonly answer: readonly SpdyFrame[] }> {
  const sent: Uint8Array[] = [];
  using session = new SpdySession(Readable.from(frames.map(encodeSpdyFrame)), async (bytes) => void sent.push(bytes));
  const events: StreamEvent[] = [];
  for await (const event of session.events()) events.push(event);
  await say(session);
  return { events, answer: [...new SpdyFrameReader().push(Buffer.concat(sent))] };
}

test("[SPDY3] streams that a client opens are agreed to, and what it says on them is heard", async () => {
  using blocks = new HeaderBlocks();
  const { events, answer } = await exchange([
    { type: "Open", stream: 1, headers: await blocks.write({ streamtype: "stdin" }), isLast: false },
    { type: "Data", stream: 1, bytes: Buffer.from("hello"), isLast: true },
    { type: "Reset", stream: 1 },
  ]);
  assert.deepEqual(events, [
    { type: "Opened", stream: 1, headers: { streamtype: "stdin" } },
    { type: "Data", stream: 1, bytes: Buffer.from("hello"), isLast: true },
    { type: "Reset", stream: 1 },
  ]);
  assert.deepEqual(
    answer.map(({ type }) => type),
    ["Opened"],
  );
});

test("[SPDY3] a ping of the client is answered, the answer to one of the server is not", async () => {
  const { answer } = await exchange(
    [
      { type: "Ping", id: 1 },
      { type: "Ping", id: 2 },
    ],
    (session) => session.ping(),
  );
  assert.deepEqual(answer, [
    { type: "Ping", id: 1 },
    { type: "Ping", id: 2 },
  ]);
});

test("[SPDY3] what is too long for a frame is said in several, of which the last is the last", async () => {
  const long = Buffer.alloc(20 * 1024 ** 2, "x");
  const { answer } = await exchange([], (session) => session.send(3, long, { isLast: true }));
  const data = answer.filter((frame) => frame.type === "Data");
  assert.ok(Buffer.concat(data.map(({ bytes }) => bytes)).equals(long));
  assert.deepEqual(new Set(data.slice(0, -1).map(({ isLast }) => isLast)), new Set([false]));
  assert.equal(data.at(-1)?.isLast, true);
});
