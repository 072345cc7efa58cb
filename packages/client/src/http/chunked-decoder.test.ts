import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChunkedDecoder } from "./chunked-decoder.ts";

/** Decodes a text that comes in pieces of these sizes, and then in one; what was in the chunks. */
function decode(text: string, sizes: readonly number[] = []): { content: string; isDone: boolean } {
  const decoder = new ChunkedDecoder();
  const bytes = Buffer.from(text);
  const content: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    const piece = Buffer.from(bytes.subarray(at, at + size));
    at += size;
    // As where it is used: the content does not begin at the start of the buffer.
    const buffer = Buffer.concat([Buffer.from("##"), piece]);
    const end = decoder.decode(buffer, 2, buffer.length);
    content.push(Buffer.from(buffer.subarray(2, end)));
  }
  return { content: Buffer.concat(content).toString(), isDone: decoder.isDone };
}

test("[HTTP5] the content of chunks is what the server wrote, however both are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: "binary" })), fc.array(fc.nat(9)), (writes, sizes) => {
      const chunks = writes.map((write) => `${Buffer.byteLength(write).toString(16)}\r\n${write}\r\n`);
      assert.deepEqual(decode(`${chunks.join("")}0\r\n\r\n`, sizes), { content: writes.join(""), isDone: true });
    }),
  );
});

test("[HTTP5] extensions and trailers are passed over, and so is what follows the end", () => {
  assert.deepEqual(decode("3;a=b\r\nabc\r\n0;x\r\nexpires: never\r\n\r\nHTTP/1.1 200 OK"), { content: "abc", isDone: true });
  assert.deepEqual(decode("A \r\n0123456789\r\n"), { content: "0123456789", isDone: false });
});

test("[HTTP5] what is no chunk is refused", () => {
  for (const text of ["\r\n", "x\r\n", ";a\r\n", "-1\r\n", "fffffffffffffffff\r\n", "1\r\nab", `1;${"x".repeat(20_000)}`]) {
    assert.throws(() => decode(text), /malformed HTTP response/, text);
  }
});
