import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ResponseReader } from "./response-reader.ts";

/** Reads a response that comes in pieces of these sizes, and then in one. */
function read(text: string, sizes: readonly number[] = [], isUpgrade = false): { reader: ResponseReader; body: string } {
  const reader = new ResponseReader(isUpgrade);
  const bytes = Buffer.from(text);
  let body = "";
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    const piece = Buffer.from(bytes.subarray(at, at + size));
    at += size;
    const { start, end } = reader.read(piece, piece.length);
    body += piece.toString("utf8", start, end);
  }
  return { reader, body };
}

test("[HTTP6] head and body are found however the response is cut", () => {
  const responses = [
    ["HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc", { isDone: true }],
    ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: 3\r\n\r\nabcdef", "abc", { isDone: true }],
    ["HTTP/1.0 200\r\nx-a: 1\r\nx-a: \t2 \r\n\r\nabc", "abc", { isDone: false, endsWithConnection: true }],
  ] as const;
  fc.assert(
    fc.property(fc.constantFrom(...responses), fc.array(fc.nat(40)), ([text, body, expected], sizes) => {
      const { reader, body: actual } = read(text, sizes);
      assert.equal(actual, body);
      assert.deepEqual([reader.head?.status, reader.head?.headers["x-a"]], [200, ["1", "2"]]);
      assert.equal(reader.isDone, expected.isDone);
      assert.equal(reader.endsWithConnection, "endsWithConnection" in expected);
    }),
  );
});

test("[HTTP24] what follows a 101 is the body if it was asked for, and another head if not", () => {
  const text = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n";
  fc.assert(
    fc.property(fc.array(fc.nat(40)), (sizes) => {
      const { reader, body } = read(`${text}abc`, sizes, true);
      assert.deepEqual([reader.head?.status, body, reader.isDone, reader.endsWithConnection], [101, "abc", false, true]);
      assert.equal(read(`${text}HTTP/1.1 204 No Content\r\n\r\n`, sizes).reader.head?.status, 204);
    }),
  );
});

test("[HTTP11] headers are read as UTF-8, however they are cut", () => {
  const text = 'HTTP/1.1 200 OK\r\nx-end: déjà\r\nwarning: 299 - "値が大きい"\r\ncontent-length: 3\r\n\r\nété';
  fc.assert(
    fc.property(fc.array(fc.nat(40)), (sizes) => {
      const { reader } = read(text, sizes);
      assert.deepEqual([reader.head?.headers["x-end"], reader.head?.headers["warning"]], ["déjà", '299 - "値が大きい"']);
    }),
  );
});

test("[HTTP6] an answer without content is done with its head", () => {
  for (const head of ["HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n"]) {
    assert.equal(read(head).reader.isDone, true);
  }
});

test("[HTTP18] what is not HTTP is refused as soon as it can be told", () => {
  const texts = [
    "SSH-2.0",
    "<html>",
    "HTTP/2 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
  ];
  for (const text of texts) assert.throws(() => read(text), /malformed HTTP response/, text);
  assert.throws(() => read(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(300_000)}`), /headers of more than 262144 bytes/);
});

test("a header named like a field of every object is a header", () => {
  const { reader } = read("HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\ncontent-length: 0\r\n\r\n");
  assert.deepEqual([Object.hasOwn(reader.head?.headers ?? {}, "__proto__"), reader.head?.headers["constructor"]], [true, "b"]);
});
