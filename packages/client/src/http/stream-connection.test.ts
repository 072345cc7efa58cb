import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesText } from "@kaji/core";
import { startHttpServer } from "../testing/http-server.ts";
import { httpTransport } from "./http-transport.ts";

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("[HTTP7] a piece of a stream stays as it is until the next is asked for, however much arrives meanwhile", async () => {
  const lines = Array.from(
    { length: 900 },
    (_, index) => `${index} ${String.fromCodePoint(0x61 + (index % 26)).repeat((index * 37) % 4001)}\n`,
  );
  await using server = await startHttpServer((_request, response) => {
    const write = async (): Promise<void> => {
      for (const line of lines) {
        response.write(line);
        await nextTurn();
      }
      response.end();
    };
    void write();
  });
  await using transport = httpTransport({ server: server.url }, { environment: {} });
  // One that is always there for the next piece, one that is late, and one that is now there and now away for longer than it takes to fill all buffers.
  for (const turnsAway of [() => 0, () => 3, (pieces: number) => (pieces % 5 === 0 ? 150 : 0)]) {
    let all = "";
    let pieces = 0;
    for await (const piece of (await transport({ method: "GET", path: "/?watch=true", headers: {} })).body) {
      const before = bytesText(piece);
      for (let turn = turnsAway(++pieces); turn > 0; turn--) await nextTurn();
      assert.equal(bytesText(piece), before);
      all += before;
    }
    assert.equal(all, lines.join(""));
  }
});

test("[HTTP7] a stream that a server refuses says why, in one piece or many", async () => {
  const refusal = JSON.stringify({ kind: "Status", message: "x".repeat(100_000) });
  await using server = await startHttpServer((_request, response) => {
    response.writeHead(410);
    for (let at = 0; at < refusal.length; at += 999) response.write(refusal.slice(at, at + 999));
    response.end();
  });
  await using transport = httpTransport({ server: server.url }, { environment: {} });
  const { status, body } = await transport({ method: "GET", path: "/?watch=true", headers: {} });
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  assert.deepEqual([status, Buffer.concat(pieces).toString()], [410, refusal]);
});

test("[HTTP2] a server is held back while its stream is not read, and everything comes when it is", async () => {
  const block = Buffer.alloc(1 << 16, "x");
  const blocks = 800;
  let sent = 0;
  await using server = await startHttpServer((_request, response) => {
    const write = (): void => {
      while (sent < blocks) {
        sent++;
        if (!response.write(block)) return void response.once("drain", write);
      }
      response.end();
    };
    write();
  });
  await using transport = httpTransport({ server: server.url }, { environment: {} });
  const { body } = await transport({ method: "GET", path: "/?watch=true", headers: {} });
  const reader = body[Symbol.asyncIterator]();
  let received = (await reader.next()).value?.byteLength ?? 0;
  // Until nothing moves any more: what is under way fits into the buffers of the system.
  for (let before = -1; before !== sent;) {
    before = sent;
    for (let turn = 0; turn < 200; turn++) await nextTurn();
  }
  assert.ok(sent < blocks / 2, `${sent} blocks were sent`);
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) received += next.value.byteLength;
  assert.equal(received, blocks * block.length);
});
