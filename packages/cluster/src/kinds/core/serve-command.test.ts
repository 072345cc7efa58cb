import assert from "node:assert/strict";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { sinkOf } from "@kaji/core";
import { WebSocketSession, commandChannels } from "@kaji/core/web-socket";
import { SocketChannels } from "./socket-channels.ts";
import { serveCommand } from "./serve-command.ts";

test("[CMD5] a client that goes ends its command, even if megabytes of what it sent are unread", async () => {
  const [near, far] = duplexPair();
  const connection = {
    channels: new SocketChannels(new WebSocketSession(far, sinkOf(far)), "v5.channel.k8s.io"),
    protocol: "v5.channel.k8s.io",
    gone: new AbortController().signal,
  };
  const served = serveCommand(connection, { stdin: true, stdout: true, stderr: true, tty: false }, async ({ signal }) => {
    await once(signal, "abort");
    return { type: "Exited", exitCode: 137 };
  });
  const client = new WebSocketSession(near, sinkOf(near), { mask: () => new Uint8Array(4) });
  for (let count = 0; count < 8; count++) await client.send(Buffer.alloc(1024 ** 2, commandChannels.stdin));
  near.end();
  near.resume();
  assert.equal(await served, undefined);
});

test("[CMD10] the sizes of the client's terminal are those of the command's, and what is no size is passed over", async () => {
  const [near, far] = duplexPair();
  const connection = {
    channels: new SocketChannels(new WebSocketSession(far, sinkOf(far)), "v5.channel.k8s.io"),
    protocol: "v5.channel.k8s.io",
    gone: new AbortController().signal,
  };
  const sizes: unknown[] = [];
  const served = serveCommand(connection, { stdin: true, stdout: true, stderr: false, tty: true }, async ({ terminal, stdin }) => {
    const [first = assert.fail()] = [terminal];
    for await (const size of first) {
      sizes.push(size);
      if (sizes.length === 2) break;
      await tell('{"Width":100,"Height":40}');
    }
    assert.ok(stdin);
    return { type: "Exited", exitCode: 0 };
  });
  const client = new WebSocketSession(near, sinkOf(near), { mask: () => new Uint8Array(4) });
  const tell = (text: string): Promise<void> => client.send(Buffer.concat([Buffer.of(commandChannels.resize), Buffer.from(text)]));
  for (const nonsense of ["{", "null", '{"Width":-1,"Height":5}', '{"Width":70000,"Height":5}']) await tell(nonsense);
  await tell('{"Width":80,"Height":24}');
  await served;
  assert.deepEqual(sizes, [
    { columns: 80, rows: 24 },
    { columns: 100, rows: 40 },
  ]);
});
