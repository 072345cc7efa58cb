import assert from "node:assert/strict";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { sinkOf } from "@kaji/core";
import { WebSocketSession, commandChannels } from "@kaji/core/web-socket";
import { serveCommand } from "./serve-command.ts";

test("[CMD5] a client that goes ends its command, even if megabytes of what it sent are unread", async () => {
  const [near, far] = duplexPair();
  const connection = {
    socket: new WebSocketSession(far, sinkOf(far)),
    protocol: "v5.channel.k8s.io",
    gone: new AbortController().signal,
  };
  const served = serveCommand(connection, { stdin: true, stdout: true, stderr: true }, async ({ signal }) => {
    await once(signal, "abort");
    return { type: "Exited", exitCode: 137 };
  });
  const client = new WebSocketSession(near, sinkOf(near), { mask: () => new Uint8Array(4) });
  for (let count = 0; count < 8; count++) await client.send(Buffer.alloc(1024 ** 2, commandChannels.stdin));
  near.end();
  near.resume();
  assert.equal(await served, undefined);
});
