import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { sinkOf } from "@kaji/core";
import { WebSocketSession } from "@kaji/core/web-socket";
import { SocketChannels } from "./socket-channels.ts";

/** What a server takes for said when a client has sent these messages and gone. */
async function heard(protocol: string, ...messages: readonly string[]): Promise<readonly string[]> {
  const [near, far] = duplexPair();
  const client = new WebSocketSession(near, sinkOf(near), { mask: () => new Uint8Array(4) });
  for (const message of messages) await client.send(Buffer.from(message, "latin1"));
  await client.close();
  near.resume();
  const said: string[] = [];
  for await (const { channel, bytes, isLast } of new SocketChannels(new WebSocketSession(far, sinkOf(far)), protocol).messages()) {
    said.push(`${channel} ${String(bytes)}${isLast ? " end" : ""}`);
  }
  return said;
}

test("[CMD11] what is not in base64 is passed over", async () => {
  const messages = ["0Zm9v", "0Zm9vCg==", "0Zm9", "0%%%%", "0", "4Zm9v\r\n", ""];
  for (const protocol of ["base64.channel.k8s.io", "v4.base64.channel.k8s.io"]) {
    assert.deepEqual(await heard(protocol, ...messages), ["0 foo", "0 foo\n", "0 ", "4 foo"], protocol);
  }
});

test("[CMD1] the end of a channel is told in the newest subprotocol, and in no other", async () => {
  const messages = ["\u0000foo", "\u00ff\u0000", "\u00ff"];
  assert.deepEqual(await heard("v5.channel.k8s.io", ...messages), ["0 foo", "0  end"]);
  assert.deepEqual(await heard("v4.channel.k8s.io", "\u0000foo", "\u00ff\u0000"), ["0 foo", "255 \u0000"]);
});
