import assert from "node:assert/strict";
import { once } from "node:events";
import { constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import type { Socket } from "node:net";
import { test } from "node:test";
import { connect as connectTls } from "node:tls";
import { gunzipSync } from "node:zlib";
import { ManualClock } from "@kaji/core/testing";
import type { ServerRequest } from "./server-request.ts";
import { largestBody } from "../request/largest-body.ts";
import { jsonResponse, textResponse } from "../response/api-response.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { connectHttp2, sendHttp1 } from "../testing/http-client.ts";
import type { Received, Sent } from "../testing/http-client.ts";
import { createTestCertificates } from "../testing/test-certificates.ts";
import { startTestServer, widgets } from "../testing/widgets.ts";
import { ListenError, listen } from "./http-listener.ts";

const { authority, serving } = createTestCertificates();
const tls = { ...serving, clientCa: authority.cert };
const ca = authority.cert;
const everybody = { authorize: () => ({ allowed: true, reason: "test" }) };

/** Sends over each version of HTTP in turn. */
async function overBoth(
  url: string,
  path: string,
  sent: Sent,
  check: (received: Received, version: string) => Promise<void>,
): Promise<void> {
  await check(await sendHttp1(url + path, { ...sent, ca }), "HTTP/1.1");
  await using http2 = await connectHttp2(url, { ca });
  await check(await http2.send(path, sent), "HTTP/2");
}

/** Answers with what it was asked. */
const echo = {
  handle: ({ method, path, headers, body }: ServerRequest): Promise<ApiResponse> =>
    Promise.resolve(jsonResponse(200, { method, path, headers, body: body === undefined ? null : Buffer.from(body).toString("utf8") })),
};

function answering(answer: ApiResponse): { handle: () => Promise<ApiResponse> } {
  return { handle: () => Promise.resolve(answer) };
}

test("[HTTP1] over TLS the client chooses between HTTP/1.1 and HTTP/2", async () => {
  await using listener = await listen(echo, { tls });
  assert.match(listener.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  await overBoth(
    listener.url,
    "/some/path?and=query",
    { method: "POST", headers: { "x-test": "1" }, body: "hello" },
    async (received, version) => {
      assert.equal(received.status, 200, version);
      const { method, path, headers, body } = JSON.parse(await received.text());
      assert.deepEqual({ method, path, body }, { method: "POST", path: "/some/path?and=query", body: "hello" });
      assert.equal(headers["x-test"], "1");
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith(":")),
        [],
      );
    },
  );
});

test("[HTTP1] without TLS it is plain HTTP/1.1", async () => {
  await using listener = await listen(echo);
  const received = await sendHttp1(`${listener.url}/x`);
  assert.match(listener.url, /^http:/);
  assert.equal(JSON.parse(await received.text()).path, "/x");
});

test("[HTTP1] a method that Kubernetes has no use for is answered with 405, a HEAD without a body", async () => {
  await using listener = await listen(answering(textResponse(200, "four")), { tls });
  await overBoth(listener.url, "/", { method: "PURGE" }, async (received) => {
    assert.equal(received.status, 405);
    assert.equal(JSON.parse(await received.text()).reason, "MethodNotAllowed");
  });
  await overBoth(listener.url, "/", { method: "HEAD" }, async (received) => {
    assert.equal(received.headers["content-length"], "4");
    assert.equal(await received.text(), "");
  });
});

test("[HTTP1] an address that cannot be listened on is a ListenError that says why", async () => {
  await using listener = await listen(echo);
  const { port } = listener;
  await assert.rejects(listen(echo, { port }), new ListenError(`cannot listen on 127.0.0.1:${port}: the port is in use`));
});

test("[HTTP1] ten listeners in one process do not disturb each other", async () => {
  await using all = new AsyncDisposableStack();
  const listeners = await Promise.all(
    Array.from({ length: 10 }, (_, index) => listen(answering(textResponse(200, String(index))), { tls })),
  );
  for (const listener of listeners) all.use(listener);
  const answers = await Promise.all(listeners.map(async ({ url }) => (await sendHttp1(url, { ca })).text()));
  assert.deepEqual(answers, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
});

test("[HTTP2] a body of 3 MiB is read, a larger one is refused with 413 and the connection goes on", async () => {
  await using server = startTestServer(everybody);
  await using listener = await listen(server.server, { tls });
  const headers = { "content-type": "application/json" };
  for (const [size, status] of [
    [largestBody, 400],
    [largestBody + 1, 413],
    [largestBody * 4, 413],
  ] as const) {
    await overBoth(listener.url, widgets, { method: "POST", headers, body: Buffer.alloc(size, "a") }, async (received, version) => {
      assert.equal(received.status, status, `${size} bytes over ${version}`);
      assert.equal(JSON.parse(await received.text()).kind, "Status");
    });
  }
  await using http2 = await connectHttp2(listener.url, { ca });
  const refused = await http2.send(widgets, { method: "POST", headers, body: Buffer.alloc(largestBody * 2) });
  assert.match(await refused.text(), /Request entity too large: limit is 3145728/);
  assert.match(await (await http2.send(widgets)).text(), /"WidgetList"/);
});

test("[HTTP2] headers up to 1 MiB are read, all of them; more are refused with 431", async () => {
  await using listener = await listen(echo, { tls });
  const received = await sendHttp1(listener.url, { ca, headers: { "x-long": "a".repeat(900_000) } });
  assert.equal(JSON.parse(await received.text()).headers["x-long"].length, 900_000);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x-${index}`, "1"]));
  const counted = JSON.parse(await (await sendHttp1(listener.url, { ca, headers: many })).text()).headers;
  assert.equal(Object.keys(counted).filter((name) => name.startsWith("x-")).length, 5000);
  const refused = await sendHttp1(listener.url, { ca, headers: { "x-long": "a".repeat(1_100_000) } });
  assert.equal(refused.status, 431);
  await refused.text();
});

test("[HTTP3] bodies beyond 128 KiB are compressed for whoever asks, whole or in pieces", async () => {
  const large = Buffer.alloc(200 * 1024, "kaji ");
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield large.subarray(0, 1000);
    yield large.subarray(1000);
  }
  await using listener = await listen(
    {
      handle: ({ path }) =>
        Promise.resolve({
          status: 200,
          headers: {},
          body: path === "/whole" ? large : path === "/small" ? large.subarray(0, 1000) : pieces(),
        }),
    },
    { tls },
  );
  for (const path of ["/whole", "/pieces"]) {
    await overBoth(listener.url, path, { headers: { "accept-encoding": "br, gzip" } }, async (received, version) => {
      assert.equal(received.headers["content-encoding"], "gzip", `${path} over ${version}`);
      assert.equal(received.headers.vary, "Accept-Encoding");
      assert.deepEqual(gunzipSync(await received.bytes()), large);
    });
    await overBoth(listener.url, path, {}, async (received) => {
      assert.equal(received.headers["content-encoding"], undefined);
      assert.deepEqual(await received.bytes(), large);
    });
  }
  const small = await sendHttp1(`${listener.url}/small`, { ca, headers: { "accept-encoding": "gzip" } });
  assert.equal(small.headers["content-encoding"], undefined);
  assert.equal((await small.bytes()).byteLength, 1000);
});

test("[HTTP3] a header may have any letters; they are sent as UTF-8", async () => {
  await using listener = await listen(answering({ ...textResponse(200, ""), headers: { warning: ['299 - "spec.日本"', '299 - "b"'] } }), {
    tls,
  });
  await overBoth(listener.url, "/", {}, async (received) => {
    assert.equal(await received.text(), "");
    assert.equal(Buffer.from(String(received.headers.warning), "latin1").toString("utf8"), '299 - "spec.日本", 299 - "b"');
  });
});

test("[HTTP3] and so they are read, joined or not", async () => {
  const read: string[][] = [];
  const handle = ({ headers, rawHeaders = [] }: ServerRequest): Promise<ApiResponse> => {
    read.push([headers["impersonate-user"] ?? "", ...rawHeaders.filter((text) => text.startsWith("J"))]);
    return Promise.resolve(textResponse(200, ""));
  };
  await using listener = await listen({ handle }, { tls });
  const name = "Jürgen 舵";
  await overBoth(listener.url, "/", { headers: { "impersonate-user": Buffer.from(name).toString("latin1") } }, async (received) => {
    assert.equal(await received.text(), "");
  });
  assert.deepEqual(read, [
    [name, name],
    [name, name],
  ]);
});

test("[HTTP4] the events of a watch are sent as they happen, uncompressed", async () => {
  await using server = startTestServer(everybody);
  await using listener = await listen(server.server, { tls });
  await overBoth(listener.url, `${widgets}?watch=true`, { headers: { "accept-encoding": "gzip" } }, async (received, version) => {
    assert.equal(received.status, 200);
    assert.equal(received.headers["content-encoding"], undefined);
    const name = version === "HTTP/2" ? "b" : "a";
    await server.call("POST", widgets, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name } });
    let line = JSON.parse((await received.next()) ?? "");
    if (line.object.metadata.name !== name) line = JSON.parse((await received.next()) ?? "");
    assert.deepEqual([line.type, line.object.metadata.name], ["ADDED", name]);
    received.leave();
  });
});

test("[HTTP5] the request of a client that goes away is aborted", async () => {
  const aborted: Promise<unknown>[] = [];
  async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const gone = once(signal, "abort");
    aborted.push(gone);
    yield Buffer.from("x");
    await gone;
  }
  const handle = ({ signal }: ServerRequest): Promise<ApiResponse> =>
    Promise.resolve({ status: 200, headers: {}, body: endless(signal ?? assert.fail("no signal")), isLive: true });
  await using listener = await listen({ handle }, { tls });
  await overBoth(listener.url, "/", {}, async (received) => {
    assert.equal(await received.next(), "x");
    received.leave();
    await aborted.shift();
  });
});

test("[HTTP6] a client that reads slowly is not sent more than it takes, and one that reads nothing is cut off", async () => {
  const clock = new ManualClock();
  for (const version of [1, 2]) {
    const { promise: cut, resolve } = Promise.withResolvers<void>();
    let produced = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          produced += 64 * 1024;
          yield Buffer.alloc(64 * 1024);
          await new Promise(setImmediate);
        }
      } finally {
        resolve();
      }
    }
    await using listener = await listen(
      { handle: () => Promise.resolve({ status: 200, headers: {}, body: endless(), isLive: true }) },
      { tls, clock },
    );
    const http2 = version === 2 ? await connectHttp2(listener.url, { ca }) : undefined;
    if (http2 === undefined) await sendHttp1(listener.url, { ca });
    else await http2.send("/");
    for (let turns = 0, before = 0; turns < 100; turns = produced === before ? turns + 1 : 0) {
      before = produced;
      await new Promise(setImmediate);
    }
    assert.ok(produced < 16 * 1024 * 1024, `${produced} bytes for a client that reads none`);
    await clock.advance(60_000);
    await cut;
    http2?.session.destroy();
  }
});

test("[HTTP7] closing ends watches with an end of the body, and lets requests under way be answered", async () => {
  const server = startTestServer(everybody);
  const { promise: release, resolve } = Promise.withResolvers<void>();
  const handle = async (request: ServerRequest): Promise<ApiResponse> => {
    if (request.path === "/slow") await release;
    return request.path === "/slow" ? textResponse(200, "done") : server.server.handle(request);
  };
  const listener = await listen({ handle }, { tls });
  await using http2 = await connectHttp2(listener.url, { ca });
  const watches = await Promise.all([sendHttp1(`${listener.url}${widgets}?watch=true`, { ca }), http2.send(`${widgets}?watch=true`)]);
  const slow = [sendHttp1(`${listener.url}/slow`, { ca }), http2.send("/slow")].map(async (received) => (await received).text());
  await (await http2.send(widgets)).text();
  const closed = listener[Symbol.asyncDispose]();
  for (const watch of watches) assert.equal(await watch.next(), undefined);
  resolve();
  assert.deepEqual(await Promise.all(slow), ["done", "done"]);
  await closed;
  await assert.rejects(sendHttp1(listener.url, { ca }), { code: "ECONNREFUSED" });
  await server[Symbol.asyncDispose]();
});

test("[HTTP7] closing does not wait for idle connections, nor for long for anybody", async () => {
  const clock = new ManualClock();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const handle = (): Promise<ApiResponse> => {
    ask();
    return new Promise(() => {});
  };
  const listener = await listen({ handle }, { tls, clock });
  const idle = [
    connectTcp(listener.port, "127.0.0.1"),
    connectTls({ port: listener.port, ca, ALPNProtocols: ["h2"] }),
    connectTls({ port: listener.port, ca }),
  ];
  await Promise.all(idle.map((socket, index) => once(socket, index === 0 ? "connect" : "secureConnect")));
  const stuck = sendHttp1(`${listener.url}/stuck`, { ca }).catch((error: unknown) => error);
  await asked;
  const ends = idle.map((socket) => closedQuietly(socket));
  const closed = listener[Symbol.asyncDispose]();
  while (clock.pending === 0) await new Promise(setImmediate);
  await clock.advance(5000);
  while (clock.pending === 0 && (await Promise.race([closed.then(() => "closed"), new Promise(setImmediate)])) !== "closed");
  await clock.advance(500);
  await closed;
  assert.ok((await stuck) instanceof Error);
  await Promise.all(ends);
});

test("[HTTP8] what is not HTTP, or not TLS, is refused and disturbs nobody", async () => {
  await using listener = await listen(echo, { tls });
  const garbage = [
    "GARBAGE\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "\0\0\0\0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  ];
  for (const text of garbage) {
    const socket = connectTls({ port: listener.port, ca });
    socket.write(text);
    assert.match(await readAll(socket), /^(HTTP\/1\.1 400 |$)/, text);
  }
  const http2 = connectTls({ port: listener.port, ca, ALPNProtocols: ["h2"] });
  http2.write("not the preface of HTTP/2, and long enough to be seen as such");
  await readAll(http2);
  const plain = connectTcp(listener.port, "127.0.0.1");
  plain.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await readAll(plain);
  const received = await sendHttp1(listener.url, { ca });
  assert.equal(received.status, 200);
  await received.text();
});

test("[HTTP8] a request that ends in the middle of its body reaches nobody", async () => {
  let handled = 0;
  await using listener = await listen({ handle: () => Promise.resolve(textResponse(200, String(++handled))) }, { tls });
  const socket = connectTls({ port: listener.port, ca });
  await once(socket, "secureConnect");
  socket.end("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
  await readAll(socket);
  assert.equal(await (await sendHttp1(listener.url, { ca, method: "POST", body: "whole" })).text(), "1");
});

test("[HTTP9] a client that takes too long for its headers is cut off", async () => {
  await using listener = await listen(echo, { limits: { headersMs: 40, requestMs: 40 } });
  const slow = connectTcp(listener.port, "127.0.0.1");
  slow.write("GET / HTTP/1.1\r\nHost:");
  assert.match(await readAll(slow), /^HTTP\/1\.1 408 /);
});

test("[HTTP9] a request whose body does not come to its end in time is cut off, by either version, and its handler not asked", async () => {
  const handler = { handle: (): Promise<ApiResponse> => assert.fail("was asked") };
  await using listener = await listen(handler, { tls, limits: { headersMs: 500, requestMs: 500 } });
  const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello";
  const slow = connectTls({ port: listener.port, host: "127.0.0.1", ca });
  slow.write(head);
  assert.equal(await readAll(slow), "");
  await using http2 = await connectHttp2(listener.url, { ca });
  const stream = http2.session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
  stream.write("hello");
  await once(stream, "close");
  assert.equal(stream.rstCode, constants.NGHTTP2_CANCEL);
});

test("[HTTP9] an HTTP/2 connection without streams is closed when idle, one with a watch is not", async () => {
  const server = startTestServer(everybody);
  await using listener = await listen(server.server, { tls, limits: { idleMs: 500 } });
  const watching = await connectHttp2(listener.url, { ca });
  const watch = await watching.send(`${widgets}?watch=true`);
  const idle = await connectHttp2(listener.url, { ca });
  await once(idle.session, "close");
  await server.call("POST", widgets, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "late" } });
  assert.match((await watch.next()) ?? "", /"late"/);
  await server[Symbol.asyncDispose]();
  await watching[Symbol.asyncDispose]();
});

test("[HTTP10] a request to upgrade, which nothing here answers, is an ordinary request", async () => {
  await using listener = await listen(echo, { tls });
  const received = await sendHttp1(`${listener.url}/exec`, { ca, headers: { connection: "Upgrade", upgrade: "SPDY/3.1" } });
  assert.equal(received.status, 200);
  await received.text();
});

async function readAll(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  socket.on("error", () => {});
  if (!socket.closed) await once(socket, "close");
  return Buffer.concat(pieces).toString("latin1");
}

/** Resolves when the other side has ended the connection; an error would be a reset. */
async function closedQuietly(socket: Socket): Promise<void> {
  socket.resume();
  await once(socket, "close");
}
