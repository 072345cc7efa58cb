import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { bodyBytes, bytesText } from "@kaji/core";
import type { Transport, TransportRequest } from "@kaji/core";
import type { Connection } from "../connection/connection.ts";
import { startHttpServer } from "../testing/http-server.ts";
import { TransportError } from "../transport-error.ts";
import { httpTransport } from "./http-transport.ts";

/** A server, and a transport to it; both end with the test. */
async function connected(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  connection: Partial<Connection> = {},
): Promise<AsyncDisposable & { transport: Transport; server: { url: string; connections: number } }> {
  const server = await startHttpServer(handler);
  const transport = httpTransport({ server: server.url, ...connection }, { environment: {} });
  return {
    server,
    transport,
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const get = (path: string, more: Partial<TransportRequest> = {}): TransportRequest => ({ method: "GET", path, headers: {}, ...more });

async function textOf(transport: Transport, request: TransportRequest): Promise<string> {
  return bytesText(await bodyBytes((await transport(request)).body));
}

const isFailure =
  (reason: string, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof TransportError, String(error));
    assert.equal(error.reason, reason);
    assert.match(error.message, message);
    return true;
  };

test("[HTTP10] a request arrives as it was made, below the path of the server", async () => {
  await using server = await startHttpServer((request, response) => {
    void buffer(request).then((body) => response.end(`${request.method} ${request.url} ${request.headers["x-a"]} ${body}`));
  });
  await using transport = httpTransport({ server: `${server.url}/clusters/c1/` }, { environment: {} });
  const request = { method: "PATCH", path: "/api/v1/pods/a%2Fb?x=1", headers: { "x-a": "b" }, body: Buffer.from("{}") } as const;
  assert.equal(await textOf(transport, request), "PATCH /clusters/c1/api/v1/pods/a%2Fb?x=1 b {}");
});

test("[HTTP10] what would be another header or another request is a mistake, and never sent", async () => {
  await using held = await connected((_request, response) => response.end("ok"));
  for (const path of ["/a b", "/\u00fc", "/a\r\nb", "/\u00fc?watch=true"]) {
    const message = `the path ${JSON.stringify(path)} has characters that cannot be sent; encode them`;
    await assert.rejects(held.transport(get(path)), { name: "TypeError", message });
  }
  const headers = { "x-a": "b\r\nx-c: d" };
  await assert.rejects(held.transport(get("/", { headers })), { name: "TypeError", message: /^the header "x-a" has/ });
  assert.equal(held.server.connections, 0);
});

test("[HTTP11] status, headers and the pieces of the body come as the server sends them", async () => {
  await using held = await connected((_request, response) => {
    response.writeHead(404, { "x-one": "1", "set-cookie": ["a", "b"] });
    response.end("gone");
  });
  const { status, headers, body } = await held.transport(get("/"));
  assert.equal(status, 404);
  assert.equal(headers["x-one"], "1");
  assert.deepEqual(headers["set-cookie"], ["a", "b"]);
  assert.equal(bytesText(await bodyBytes(body)), "gone");
});

test("[HTTP12] compressed answers are asked for and undone, unless compression is disabled", async () => {
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    const isWanted = request.headers["accept-encoding"] === "gzip";
    response.writeHead(200, isWanted ? { "content-encoding": "gzip" } : {});
    response.end(isWanted ? gzipSync("squeezed".repeat(10_000)) : "plain");
  };
  await using held = await connected(handler);
  assert.equal(await textOf(held.transport, get("/")), "squeezed".repeat(10_000));
  await using plain = await connected(handler, { disableCompression: true });
  assert.equal(await textOf(plain.transport, get("/")), "plain");
});

test("[HTTP12] a compressed answer that is cut short fails", async () => {
  const zipped = gzipSync("squeezed".repeat(10_000));
  await using held = await connected((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-length": zipped.length });
    response.write(zipped.subarray(0, 20), () => response.destroy());
  });
  await assert.rejects(textOf(held.transport, get("/")), isFailure("Interrupted", /the server closed the connection|was reset/));
});

test("[HTTP12] an answer that is not compressed as it says is malformed", async () => {
  await using held = await connected((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end("{}");
  });
  await assert.rejects(
    textOf(held.transport, get("/a?b=c")),
    isFailure("Malformed", /^the response is not gzip, as its headers say \(GET \/a\)$/),
  );
});

test("[HTTP12] an answer without a body is empty, even if its headers call it compressed, in whatever letters", async () => {
  await using held = await connected((request, response) => {
    response.writeHead(request.url === "/204" ? 204 : 200, { "content-encoding": "GZip" });
    response.end(request.url === "/full" ? gzipSync("squeezed") : undefined);
  });
  for (const [path, text] of [
    ["/204", ""],
    ["/empty", ""],
    ["/full", "squeezed"],
  ] as const)
    assert.equal(await textOf(held.transport, get(path)), text, path);
});

test("[HTTP13] connections are kept and used again", async () => {
  await using held = await connected((_request, response) => response.end("ok"));
  for (let index = 0; index < 10; index++) await textOf(held.transport, get("/"));
  assert.equal(held.server.connections, 1);
});

test("[HTTP14] watches do not keep requests waiting, however many there are", async () => {
  await using held = await connected((request, response) => {
    if (request.url?.includes("watch=true") === true) response.write("event\n");
    else response.end("ok");
  });
  const abort = new AbortController();
  const watches = await Promise.all(Array.from({ length: 40 }, () => held.transport(get("/pods?watch=true", { signal: abort.signal }))));
  assert.equal(await textOf(held.transport, get("/pods")), "ok");
  assert.equal(held.server.connections, 41);
  abort.abort(new Error("enough"));
  for (const { body } of watches) await assert.rejects(bodyBytes(body), /enough/);
});

test("[HTTP14] requests beyond 32 at once wait for a connection", async () => {
  const waiting: ServerResponse[] = [];
  await using held = await connected((_request, response) => {
    if (waiting.push(response) === 32) for (const each of waiting) each.end("ok");
    else if (waiting.length > 32) response.end("ok");
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => textOf(held.transport, get("/"))));
  assert.deepEqual(new Set(answers), new Set(["ok"]));
  assert.equal(held.server.connections, 32);
});

test("[HTTP15] aborting ends a request before, and a body after, its answer has begun; the connection is closed", async () => {
  const closed: string[] = [];
  const arrived = Promise.withResolvers<void>();
  await using held = await connected((request, response) => {
    request.socket.once("close", () => closed.push(request.url ?? ""));
    if (request.url === "/silent") arrived.resolve();
    else response.write("first\n");
  });
  const before = new AbortController();
  const silent = held.transport(get("/silent", { signal: before.signal }));
  await arrived.promise;
  before.abort(new Error("no patience"));
  await assert.rejects(silent, /no patience/);
  const after = new AbortController();
  const { body } = await held.transport(get("/stream?watch=true", { signal: after.signal }));
  const reader = body[Symbol.asyncIterator]();
  await reader.next();
  const next = reader.next();
  after.abort(new Error("seen enough"));
  await assert.rejects(next, /seen enough/);
  await assert.rejects(held.transport(get("/never", { signal: after.signal })), /seen enough/);
  while (closed.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(closed.toSorted(), ["/silent", "/stream?watch=true"]);
});

test("[HTTP16] a reader that stops closes the connection", async () => {
  const closed = Promise.withResolvers<void>();
  await using held = await connected((request, response) => {
    request.socket.once("close", () => closed.resolve());
    response.write("first\n");
  });
  for await (const _piece of (await held.transport(get("/?watch=true"))).body) break;
  await closed.promise;
});

test("[HTTP17] a server that is not there is unreachable", async () => {
  const server = await startHttpServer(() => {});
  await server[Symbol.asyncDispose]();
  await using transport = httpTransport({ server: server.url }, { environment: {} });
  await assert.rejects(
    transport(get("/api?x=1")),
    isFailure("Unreachable", /^no answer from http:\/\/127\.0\.0\.1:\d+: connection refused.* \(GET \/api\)$/),
  );
});

test("[HTTP18] an answer that does not come, or not to its end, is interrupted", async () => {
  await using held = await connected((request, response) => {
    if (request.url === "/none") {
      request.socket.destroy();
      return;
    }
    response.writeHead(200, { "content-length": "100" });
    response.write("some", () => request.socket.destroy());
  });
  await assert.rejects(held.transport(get("/none")), isFailure("Interrupted", /\(GET \/none\)$/));
  const { body } = await held.transport(get("/part"));
  const reader = body[Symbol.asyncIterator]();
  assert.equal(bytesText((await reader.next()).value ?? assert.fail()), "some");
  await assert.rejects(reader.next(), isFailure("Interrupted", /\(GET \/part\)$/));
});

test("[HTTP18] what does not speak HTTP is an interruption too, and no crash", async () => {
  const server = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await using transport = httpTransport({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, { environment: {} });
  await assert.rejects(transport(get("/")), isFailure("Interrupted", /no answer from/));
  server.close();
});

test("[HTTP19] whom to act as is told in headers, groups and extras in several", async () => {
  const impersonate = { username: "jane", uid: "7", groups: ["a", "b"], extra: { "example.com/Team": ["x", "y"] } };
  await using held = await connected((request, response) => response.end(JSON.stringify(request.headersDistinct)), {
    user: { impersonate },
  });
  const headers = JSON.parse(await textOf(held.transport, get("/"))) as Readonly<Record<string, unknown>>;
  assert.deepEqual(headers["impersonate-user"], ["jane"]);
  assert.deepEqual(headers["impersonate-uid"], ["7"]);
  assert.deepEqual(headers["impersonate-group"], ["a", "b"]);
  assert.deepEqual(headers["impersonate-extra-example.com%2fteam"], ["x", "y"]);
});

test("[HTTP19] a request that names somebody else is made as that user, and as no one else", async () => {
  const impersonate = { username: "jane", groups: ["a"] };
  await using held = await connected((request, response) => response.end(JSON.stringify(request.headersDistinct)), {
    user: { impersonate },
  });
  const request = { ...get("/"), headers: { "impersonate-user": "joe" } };
  const headers = JSON.parse(await textOf(held.transport, request)) as Readonly<Record<string, unknown>>;
  assert.deepEqual([headers["impersonate-user"], headers["impersonate-group"]], [["joe"], undefined]);
});

test("[HTTP20] requests go through the proxy that the connection or the environment names", async () => {
  const seen: string[] = [];
  await using proxy = await startHttpServer((request, response) => {
    seen.push(`${request.url} ${request.headers["proxy-authorization"]}`);
    response.end("by proxy");
  });
  const uri = proxy.url.replace("//", "//me:pass@");
  await using named = httpTransport({ server: "http://api.example:6443", proxyUrl: uri }, { environment: {} });
  assert.equal(await textOf(named, get("/version")), "by proxy");
  await using ambient = httpTransport({ server: "http://api.example:6443" }, { environment: { http_proxy: uri } });
  assert.equal(await textOf(ambient, get("/version")), "by proxy");
  assert.equal(new Set(seen).size, 1);
  assert.deepEqual(seen[0], `http://api.example:6443/version Basic ${Buffer.from("me:pass").toString("base64")}`);
});

test("[HTTP20] a proxy that cannot be used is a mistake, told without its password", () => {
  const server = "https://api.example:6443";
  const refused = (proxy: string, message: string): void =>
    assert.throws(() => httpTransport({ server }, { environment: { HTTPS_PROXY: proxy } }), { name: "TypeError", message });
  refused("http://me:secret@:1:2", "the proxy must be a URL such as http://proxy:3128 or socks5://proxy:1080");
  refused("socks4://me:secret@proxy", "the proxy must be an http, https or socks5 proxy; socks4:// is not supported");
  refused("http://me:100%@proxy:1", "the proxy has a user or password that is not encoded as in a URL, where a % is %25");
  assert.throws(() => httpTransport({ server: "http://api.example:6443", proxyUrl: "socks5://me:secret@proxy" }, { environment: {} }), {
    name: "TypeError",
    message: "a SOCKS proxy leads to https servers, and http://api.example:6443 is none",
  });
});

test("[HTTP21] a transport that is closed opens no connection, not even its first", async () => {
  await using server = await startHttpServer((_request, response) => void response.end("ok"));
  const unused = httpTransport({ server: server.url }, { environment: {} });
  await unused[Symbol.asyncDispose]();
  for (const path of ["/", "/?watch=true"]) await assert.rejects(unused(get(path)), isFailure("Unreachable", /the client has been closed/));
  assert.equal(server.connections, 0);
});

test("[HTTP21] closing ends watches, and lets requests finish", async () => {
  const release = Promise.withResolvers<void>();
  await using server = await startHttpServer((request, response) => {
    if (request.url === "/slow") void release.promise.then(() => response.end("done"));
    else response.write("event\n");
  });
  const transport = httpTransport({ server: server.url }, { environment: {} });
  const watch = await transport(get("/?watch=true"));
  const slow = textOf(transport, get("/slow"));
  const watching = bodyBytes(watch.body);
  watching.catch(() => {});
  while (server.connections < 2) await new Promise((resolve) => setImmediate(resolve));
  const closed = transport[Symbol.asyncDispose]();
  release.resolve();
  assert.equal(await slow, "done");
  await closed;
  await assert.rejects(watching, TransportError);
});

test("[HTTP22] a server that is no URL is a mistake", () => {
  for (const server of ["", "10.0.0.1:6443", "ftp://a", "https://"])
    assert.throws(() => httpTransport({ server }), /is not a URL such as https/);
});
