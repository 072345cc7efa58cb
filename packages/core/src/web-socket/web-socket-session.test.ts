import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ByteSink } from "../outside/byte-sink.ts";
import { encodeFrame } from "./frame.ts";
import { WebSocketSession } from "./web-socket-session.ts";

const zeros = new Uint8Array(4);

/** Collects what is written. */
class Written implements ByteSink {
  readonly pieces: Uint8Array[] = [];
  isEnded = false;

  async write(bytes: Uint8Array): Promise<void> {
    this.pieces.push(bytes);
  }

  end(): void {
    this.isEnded = true;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

async function* cut(bytes: Uint8Array, at: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...at.map((place) => place % (bytes.byteLength + 1)).toSorted((a, b) => a - b), bytes.byteLength];
  for (const [index, place] of places.slice(1).entries()) yield bytes.subarray(places[index], place);
}

async function messagesOf(socket: WebSocketSession): Promise<Uint8Array[]> {
  const messages: Uint8Array[] = [];
  for await (const message of socket.messages()) messages.push(message);
  return messages;
}

async function heard(bytes: Uint8Array, cuts: readonly number[] = []): Promise<{ messages: string[]; answer: Written }> {
  const answer = new Written();
  const messages = await messagesOf(new WebSocketSession(cut(bytes, cuts), answer, { mostBytes: 100_000 }));
  return { messages: messages.map(String), answer };
}

test("messages of any length arrive as they were sent, however the bytes are cut, from client to server and back", async () => {
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.integer({ min: 120, max: 70_000 }).map((length) => new Uint8Array(length).fill(7)),
  );
  const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(payload, { maxLength: 5 }),
      fc.option(mask, { nil: undefined }),
      fc.array(fc.nat()),
      async (messages, masked, cuts) => {
        const written = new Written();
        const sender = new WebSocketSession(cut(new Uint8Array(), []), written, masked === undefined ? {} : { mask: () => masked });
        for (const message of messages) await sender.send(message);
        await sender.close();
        const reader = new WebSocketSession(cut(written.bytes, cuts), new Written(), masked === undefined ? { mask: () => zeros } : {});
        const arrived = await messagesOf(reader);
        assert.deepEqual(
          arrived.map((bytes) => [...bytes]),
          messages.map((bytes) => [...bytes]),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("a message in several frames is one, with a ping in between that is answered", async () => {
  const [first, ping, last] = [
    encodeFrame("Text", Buffer.from("ab"), zeros),
    encodeFrame("Ping", Buffer.from("?"), zeros),
    encodeFrame("Text", Buffer.from("cd"), zeros),
  ];
  first[0] = 0x01;
  last[0] = 0x80;
  const { messages, answer } = await heard(Buffer.concat([first, ping, last]));
  assert.deepEqual(messages, ["abcd"]);
  assert.deepEqual([...answer.bytes], [...encodeFrame("Pong", Buffer.from("?"))]);
});

/** A message as a client sends it, in frames of these. */
function inFrames(payloads: readonly Uint8Array[]): Buffer {
  const frames = payloads.map((payload, index) => {
    const frame = encodeFrame("Binary", payload, zeros);
    frame[0] = (index === payloads.length - 1 ? 0x80 : 0) | (index === 0 ? 0x02 : 0);
    return frame;
  });
  return Buffer.concat(frames);
}

test("messages in any frames, also empty ones, are what is in the frames", async () => {
  const message = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 6 }), async (sent, cuts) => {
      const socket = new WebSocketSession(cut(Buffer.concat(sent.map(inFrames)), cuts), new Written());
      assert.deepEqual(
        (await messagesOf(socket)).map((bytes) => [...bytes]),
        sent.map((payloads) => [...Buffer.concat(payloads)]),
      );
    }),
    { numRuns: 60 },
  );
});

test("the bound is of each message, in however many frames it comes", async () => {
  const most = inFrames(Array.from({ length: 100 }, () => new Uint8Array(1_000)));
  const { messages } = await heard(Buffer.concat([most, most]));
  assert.deepEqual(
    messages.map(({ length }) => length),
    [100_000, 100_000],
  );
});

test("a close is answered with a close, and what is sent afterwards goes nowhere", async () => {
  const answer = new Written();
  const socket = new WebSocketSession(cut(encodeFrame("Close", Buffer.from([0x03, 0xe8]), zeros), []), answer);
  assert.deepEqual(await messagesOf(socket), []);
  await socket.send(Buffer.from("late"));
  await socket.close();
  assert.deepEqual([...answer.bytes], [0x88, 2, 0x03, 0xe8]);
  assert.ok(answer.isEnded);
});

const refused: Readonly<Record<string, { readonly bytes: Uint8Array; readonly fault: string; readonly code: number }>> = {
  "an unknown type": { bytes: Buffer.from([0x83, 0x80, 0, 0, 0, 0]), fault: "ProtocolError", code: 1002 },
  "a reserved bit": { bytes: Buffer.from([0xc2, 0x80, 0, 0, 0, 0]), fault: "ProtocolError", code: 1002 },
  "no mask": { bytes: encodeFrame("Binary", Buffer.from("a")), fault: "ProtocolError", code: 1002 },
  "a long ping": { bytes: encodeFrame("Ping", new Uint8Array(126), zeros), fault: "ProtocolError", code: 1002 },
  "a continuation of nothing": { bytes: Buffer.from([0x80, 0x80, 0, 0, 0, 0]), fault: "ProtocolError", code: 1002 },
  "too many bytes in small frames": {
    bytes: inFrames([...Array.from({ length: 100 }, () => new Uint8Array(1_000)), new Uint8Array(1)]),
    fault: "TooLarge",
    code: 1009,
  },
  "too many bytes": { bytes: encodeFrame("Binary", new Uint8Array(100_001), zeros), fault: "TooLarge", code: 1009 },
};

for (const [name, { bytes, fault, code }] of Object.entries(refused)) {
  test(`${name} is refused and the connection closed with ${code}`, async () => {
    const answer = new Written();
    const socket = new WebSocketSession(cut(bytes, []), answer, { mostBytes: 100_000 });
    await assert.rejects(messagesOf(socket), { name: "WebSocketError", fault });
    assert.equal(answer.bytes.readUInt16BE(2), code);
    assert.ok(answer.isEnded);
  });
}

test("what is unanswered is counted while somebody waits, and the other side has answered since the last message to it", async () => {
  const incoming = new TransformStream<Uint8Array, Uint8Array>({}, { highWaterMark: 10 }, { highWaterMark: 10 });
  const writer = incoming.writable.getWriter();
  const socket = new WebSocketSession(incoming.readable, new Written(), { mask: () => zeros });
  const pong = encodeFrame("Pong", new Uint8Array());
  const messages = socket.messages();
  const ping = async (): Promise<number> => {
    await socket.ping();
    await new Promise((resolve) => setImmediate(resolve));
    return socket.unanswered;
  };
  await writer.write(pong);
  assert.equal(await ping(), 0, "nobody reads");
  let next = messages.next();
  assert.equal(await ping(), 0, "a pong to the first");
  assert.equal(await ping(), 1);
  await writer.write(encodeFrame("Binary", Buffer.from("a")));
  await next;
  assert.equal(await ping(), 0, "nobody reads what has come");
  next = messages.next();
  assert.deepEqual([await ping(), await ping()], [1, 2], "since it is waited for");
  await socket.send(Buffer.from("b"));
  assert.equal(await ping(), 0, "it may be held back");
  for (let pongs = 0; pongs < 6; pongs++) await writer.write(pong);
  assert.equal(await ping(), 1, "it has answered what was sent after the message");
  await writer.close();
  assert.equal((await next).done, true);
});
