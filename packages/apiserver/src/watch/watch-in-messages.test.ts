import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { WebSocketSession } from "@kaji/core/web-socket";
import { startTestServer, widgets } from "../testing/widgets.ts";
import type { TestServer } from "../testing/widgets.ts";

const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "a" };

/** A watch as a WebSocket, which the server has agreed to. */
async function openWatch(api: TestServer, query = "", headers: Readonly<Record<string, string>> = {}): Promise<WebSocketSession> {
  const path = `${widgets}?watch=true${query}`;
  const request = { method: "GET", path, headers: { ...upgrade, ...headers } } as const;
  const { status, headers: answer, body, upstream = assert.fail() } = await api.server.transport()(request);
  assert.equal(status, 101);
  assert.equal(answer["sec-websocket-protocol"], headers["sec-websocket-protocol"]);
  return new WebSocketSession(body, upstream, { mask: () => new Uint8Array(4) });
}

const create = (api: TestServer, name: string) => api.call("POST", widgets, { metadata: { name }, spec: { color: "red" } });

async function nextOf(messages: AsyncGenerator<Uint8Array>): Promise<string> {
  const { value = assert.fail() } = await messages.next();
  const text = Buffer.from(value).toString();
  assert.equal(text.indexOf("\n"), text.length - 1);
  const { type, object } = JSON.parse(text);
  return `${type} ${object.metadata?.name}`;
}

for (const headers of [{}, { "sec-websocket-protocol": "any.example.com" }]) {
  test(`[WATCH15] each event is a message of a WebSocket, in the subprotocol ${Object.values(headers)[0] ?? "of none"}`, async () => {
    await using api = startTestServer();
    await create(api, "a");
    await create(api, "b");
    const messages = (await openWatch(api, "", headers)).messages();
    await create(api, "c");
    assert.deepEqual([await nextOf(messages), await nextOf(messages), await nextOf(messages)], ["ADDED a", "ADDED b", "ADDED c"]);
    await api.call("DELETE", `${widgets}/b`);
    assert.equal(await nextOf(messages), "DELETED b");
    await messages.return(undefined);
  });
}

test("[WATCH15] the end of a watch closes the WebSocket, and so does the client, which ends the watch", async () => {
  await using api = startTestServer();
  const timers = api.clock.pending;
  const timed = (await openWatch(api, "&timeoutSeconds=5")).messages();
  const closed = await openWatch(api);
  await api.clock.advance(5000);
  assert.deepEqual(await timed.next(), { done: true, value: undefined });
  await closed.close();
  assert.deepEqual(await closed.messages().next(), { done: true, value: undefined });
  await api.clock.advance(0);
  assert.equal(api.clock.pending, timers);
});

test("[WATCH15] a WebSocket that is closed leaves nothing on the signal of who asked for it", async () => {
  await using api = startTestServer();
  const { signal } = new AbortController();
  const request = { method: "GET", path: `${widgets}?watch=true`, headers: upgrade, signal } as const;
  const { body, upstream = assert.fail() } = await api.server.transport()(request);
  await new WebSocketSession(body, upstream, { mask: () => new Uint8Array(4) }).close();
  for await (const _rest of body);
  await api.clock.advance(0);
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});

test("[WATCH15] a watch that is refused is refused as any other, and one without a key leaves nothing behind", async () => {
  await using api = startTestServer();
  const timers = api.clock.pending;
  const statusOf = async (query: string, headers: Readonly<Record<string, string>>): Promise<number> => {
    const { status } = await api.server.transport()({ method: "GET", path: `${widgets}?watch=true${query}`, headers });
    return status;
  };
  assert.equal(await statusOf("&labelSelector=a b", upgrade), 400);
  assert.equal(await statusOf("", { connection: "Upgrade", upgrade: "websocket" }), 400);
  assert.equal(api.clock.pending, timers);
});
