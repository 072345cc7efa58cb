import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { bodyBytes, bytesText } from "@kaji/core";
import { RequestConnection } from "./request-connection.ts";
import { headerLines } from "./request-head.ts";
import type { WireRequest } from "./request-head.ts";
import { RequestPool } from "./request-pool.ts";

/** A server that answers each request with the bytes of a script, and says how many connections it has had. */
async function scripted(
  answer: (socket: Socket, request: string, connection: number) => void,
  { limit = 2, idleMs = 10_000 } = {},
): Promise<AsyncDisposable & { readonly pool: RequestPool; readonly connections: () => number; readonly closed: () => number }> {
  let [connections, closed] = [0, 0];
  const server = createServer((socket) => {
    const connection = connections++;
    socket.on("data", (piece) => answer(socket, piece.toString("latin1"), connection));
    socket.on("close", () => closed++);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const pool = new RequestPool({ server: url, tls: undefined, proxy: undefined }, { connectMs: 10_000, idleMs }, limit);
  return {
    pool,
    connections: () => connections,
    closed: () => closed,
    async [Symbol.asyncDispose]() {
      await pool.close();
      server.close();
      await once(server, "close");
    },
  };
}

const get = (path: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: "GET",
  path,
  headers: "",
  isUpgrade: false,
  ...more,
});
const ok = (body: string, headers = ""): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;

async function textOf({ pool }: { readonly pool: RequestPool }, request: WireRequest): Promise<string> {
  return bytesText(await bodyBytes((await pool.send(request)).body));
}

/** Until the other side has got as far, which is up to the system. */
async function turns(until: () => boolean): Promise<void> {
  while (!until()) await new Promise((resolve) => setImmediate(resolve));
}

test("[HTTP13] a connection whose server says that it closes it, or soon will, is not used again", async () => {
  await using closing = await scripted((socket) => socket.write(ok("ok", "Connection: close\r\n")));
  await using hasty = await scripted((socket) => socket.write(ok("ok", "Keep-Alive: timeout=1\r\n")));
  await using patient = await scripted((socket) => socket.write(ok("ok", "Keep-Alive: timeout=60\r\n")));
  const inOld = (headers = ""): string => ok("ok", headers).replace("HTTP/1.1", "HTTP/1.0");
  await using old = await scripted((socket) => socket.write(inOld()));
  await using oldAndPatient = await scripted((socket) => socket.write(inOld("Connection: keep-alive\r\n")));
  const servers = [closing, hasty, patient, old, oldAndPatient];
  for (let round = 0; round < 3; round++) for (const server of servers) assert.equal(await textOf(server, get("/")), "ok");
  assert.deepEqual(
    servers.map((server) => server.connections()),
    [3, 3, 1, 3, 1],
  );
});

test("[HTTP8] a connection on which more came than the answer is not used again", async () => {
  const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
  for (const answer of [ok("ok"), chunked]) {
    await using server = await scripted((socket) => socket.write(`${answer}${ok("smuggled")}`));
    for (let round = 0; round < 2; round++) assert.equal(await textOf(server, get("/")), "ok");
    assert.equal(server.connections(), 2);
  }
});

test("[HTTP13] a connection that rests for too long is closed, and one whose answer takes longer than that is not", async () => {
  const [late, resting]: [Socket[], Socket[]] = [[], []];
  await using server = await scripted(
    (socket, request) => {
      if (request.includes("/late")) late.push(socket);
      else socket.write(ok("ok"), () => resting.push(socket));
    },
    { idleMs: 30 },
  );
  const slow = textOf(server, get("/late"));
  await turns(() => late.length === 1);
  assert.equal(await textOf(server, get("/")), "ok");
  await turns(() => resting.length === 1);
  // It began to rest after the other had begun to wait.
  await once(resting[0] ?? assert.fail(), "close");
  late[0]?.write(ok("late"));
  assert.equal(await slow, "late");
});

test("[HTTP14] requests that wait for a connection get one in turn, and leave when aborted", async () => {
  const waiting: Socket[] = [];
  await using server = await scripted((socket) => waiting.push(socket), { limit: 1 });
  const [first, abort] = [textOf(server, get("/")), new AbortController()];
  const second = textOf(server, get("/", { signal: abort.signal }));
  const third = textOf(server, get("/"));
  abort.abort(new Error("no patience"));
  await assert.rejects(second, /no patience/);
  for (const [index, answer] of [first, third].entries()) {
    await turns(() => waiting.length === index + 1);
    waiting[index]?.write(ok(`answer ${index}`));
    assert.equal(await answer, `answer ${index}`);
  }
  assert.equal(server.connections(), 1);
});

test("[HTTP2] a large answer that is not read does not keep the next request on its connection waiting", async () => {
  const large = "x".repeat(3 << 20);
  await using server = await scripted((socket, request) => socket.write(ok(request.includes("/large") ? large : "ok")), { limit: 1 });
  const { body } = await server.pool.send(get("/large"));
  const next = textOf(server, get("/"));
  assert.equal((await bodyBytes(body)).byteLength, large.length);
  assert.equal(await next, "ok");
});

test("[HTTP18] a connection that its server closed while it rested is not used; one that breaks under a request is an interruption", async () => {
  await using server = await scripted((socket, request, connection) => {
    if (request.includes("/break")) socket.destroy();
    else socket.write(ok(String(connection)), () => (request.includes("/last") ? socket.end() : undefined));
  });
  assert.equal(await textOf(server, get("/last")), "0");
  await turns(() => server.closed() === 1);
  assert.equal(await textOf(server, get("/")), "1");
  await assert.rejects(textOf(server, get("/break")), { reason: "Interrupted" });
  assert.equal(await textOf(server, get("/")), "2");
});

test("[HTTP26] however soon after its server has begun to close a connection a request comes, it is sent: there, or on another", async () => {
  for (let turnsLater = 0; turnsLater < 8; turnsLater++) {
    const received: string[] = [];
    await using server = await scripted((socket, request) => {
      received.push(request);
      socket.end(ok("ok"));
    });
    await textOf(server, get("/last"));
    for (let turn = 0; turn < turnsLater; turn++) await new Promise((resolve) => setImmediate(resolve));
    // It may be interrupted: then the server has got it, or is about to.
    const outcome = await server.pool.send(get("/next", { method: "POST" })).then(
      () => "Answered",
      (error: unknown) => error,
    );
    await turns(() => received.length === 2 || server.closed() === server.connections());
    assert.equal(received.length, 2, `${turnsLater} turns later: ${String(outcome)}`);
  }
});

test("[HTTP18] a connection that ended before its request was sent does not keep it waiting", async () => {
  const server = new URL("http://127.0.0.1:9");
  const owner = { freed: () => {}, closed: () => {} };
  const connection = new RequestConnection({ server, tls: undefined, proxy: undefined }, { connectMs: 10_000, idleMs: 10_000 }, owner);
  connection.destroy(new Error("over"));
  await assert.rejects(connection.send(get("/")), { reason: "Interrupted" });
});

test("[HTTP6] an answer to HEAD has no body, whatever length it names; one without a length ends with the connection", async () => {
  await using server = await scripted((socket, request) => {
    if (request.startsWith("HEAD")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n");
    else socket.end("HTTP/1.1 200 OK\r\n\r\nuntil the end");
  });
  assert.equal(await textOf(server, get("/", { method: "HEAD" })), "");
  assert.equal(await textOf(server, get("/")), "until the end");
  assert.equal(server.connections(), 1);
});

test("[HTTP18] what a server says without being asked closes the connection", async () => {
  const sockets: Socket[] = [];
  await using server = await scripted((socket, _request, connection) => {
    sockets.push(socket);
    socket.write(ok(String(connection)));
  });
  assert.equal(await textOf(server, get("/")), "0");
  sockets[0]?.write("HTTP/1.1 408 Request Timeout\r\n\r\n");
  await once(sockets[0] ?? assert.fail(), "close");
  assert.equal(await textOf(server, get("/")), "1");
});

test("[HTTP10] a letter beyond ASCII in a header is its bytes of UTF-8, of which none ends a line", async () => {
  const requests: string[] = [];
  await using server = await scripted((socket, request) => {
    requests.push(Buffer.from(request, "latin1").toString("utf8"));
    socket.write(ok("ok"));
  });
  // The low bytes of these letters are CR and LF.
  const name = "j\u00fcrgen\u010d\u010aimpersonate-group: system:masters";
  const body = Buffer.from("{}");
  for (const more of [{}, { method: "POST", body }] as const)
    await textOf(server, get("/", { headers: headerLines({ "impersonate-user": name }), ...more }));
  for (const request of requests) assert.ok(request.includes(`impersonate-user: ${name}\r\n`), request);
  assert.ok(requests[1]?.endsWith("\r\n\r\n{}"));
});
