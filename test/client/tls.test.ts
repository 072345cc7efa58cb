import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { createServer as createNetServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import type { TLSSocket } from "node:tls";
import { createAuthority, issueClient, issueServing } from "@kaji/apiserver";
import type { Certificate } from "@kaji/apiserver";
import { KubeClient, TransportError, httpTransport } from "@kaji/client";
import type { Connection, TransportFailure } from "@kaji/client";
import { systemClock, systemRandom } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { startProxy, startSocks } from "./proxies.ts";

const issuing = { clock: systemClock, random: systemRandom };
let folder: string;
let authority: Certificate;
let otherAuthority: Certificate;
let serving: Certificate;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "kaji-tls-"));
  [authority, otherAuthority] = [createAuthority("one", issuing), createAuthority("two", issuing)];
  serving = issueServing(authority, ["127.0.0.1", "kube.example"], issuing);
});
after(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const inline = (certificate: Certificate): Connection["certificateAuthority"] => ({ type: "Data", data: certificate.cert });

/** A server that tells the name in the client's certificate; paths with `watch` are answered and go on. */
async function startTls(
  certificate = serving,
  port = 0,
): Promise<AsyncDisposable & { url: string; port: number; use(next: Certificate): void }> {
  const server = createServer({ ...certificate, ca: authority.cert, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    response.write(`${subject?.CN ?? "nobody"}\n`);
    if (request.url?.includes("watch=true") !== true) response.end();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `https://127.0.0.1:${bound}`,
    port: bound,
    use(next) {
      server.setSecureContext({ ...next, ca: authority.cert });
      server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(transport: Transport): Promise<string> {
  let text = "";
  for await (const piece of (await transport({ method: "GET", path: "/", headers: {} })).body) text += Buffer.from(piece).toString();
  return text.trim();
}

/** The answer over a connection of these settings. */
async function answerTo(connection: Connection): Promise<string> {
  await using transport = httpTransport(connection, { environment: {} });
  return await answer(transport);
}

const isFailure =
  (reason: TransportFailure, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof TransportError, String(error));
    assert.equal(error.reason, reason, error.message);
    assert.match(error.message, message);
    return true;
  };

test("[TLS1] a server is believed if the authority has signed its certificate for its name", async () => {
  await using server = await startTls();
  const { url } = server;
  assert.equal(await answerTo({ server: url, certificateAuthority: inline(authority) }), "nobody");
  await assert.rejects(
    answerTo({ server: url, certificateAuthority: inline(otherAuthority) }),
    isFailure("Untrusted", /its certificate is not trusted/),
  );
  await assert.rejects(answerTo({ server: url }), isFailure("Untrusted", /its certificate is not trusted/));
  assert.equal(await answerTo({ server: url, insecureSkipTlsVerify: true }), "nobody");
});

test("[TLS2] the name that the certificate must have can be another than the host", async () => {
  await using server = await startTls(issueServing(authority, ["kube.example"], issuing));
  const connection = { server: server.url, certificateAuthority: inline(authority) };
  await assert.rejects(answerTo(connection), isFailure("Untrusted", /for another host; tls-server-name/));
  assert.equal(await answerTo({ ...connection, tlsServerName: "kube.example" }), "nobody");
  await assert.rejects(answerTo({ ...connection, tlsServerName: "other.example" }), isFailure("Untrusted", /for another host/));
});

test("[TLS2] that name may be an address, as at the end of a tunnel", async () => {
  await using server = await startTls(issueServing(authority, ["10.0.0.1"], issuing));
  const connection = { server: server.url, certificateAuthority: inline(authority) };
  assert.equal(await answerTo({ ...connection, tlsServerName: "10.0.0.1" }), "nobody");
  await assert.rejects(answerTo({ ...connection, tlsServerName: "10.0.0.2" }), isFailure("Untrusted", /for another host/));
});

test("[TLS2] a server is told before the handshake which of its hosts is wanted, by name only", async () => {
  const wanted: string[] = [];
  const certificate = issueServing(authority, ["localhost", "127.0.0.1"], issuing);
  const server = createServer({ ...certificate, SNICallback: (name, done) => (wanted.push(name), done(null)) }, (_request, response) =>
    response.end("hello"),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await using _closing = { [Symbol.asyncDispose]: async () => void (await once(server.close(), "close")) };
  const { port } = server.address() as AddressInfo;
  for (const host of ["localhost", "127.0.0.1"]) {
    assert.equal(await answerTo({ server: `https://${host}:${port}`, certificateAuthority: inline(authority) }), "hello");
  }
  assert.deepEqual(wanted, ["localhost"]);
});

test("[TLS3] a client certificate that changes on disk is shown to new connections; what is under way goes on", async () => {
  await using server = await startTls();
  const [jane, john] = ["jane", "john"].map((commonName) => issueClient(authority, { commonName }, issuing));
  assert.ok(jane && john);
  const clock = new ManualClock();
  const files = {
    certificate: { type: "File", path: write("client.crt", jane.cert) },
    key: { type: "File", path: write("client.key", jane.key) },
  } as const;
  const connection = { server: server.url, certificateAuthority: inline(authority), user: { certificate: files } };
  await using transport = httpTransport(connection, { environment: {}, clock });
  assert.equal(await answer(transport), "jane");
  const watch = await transport({ method: "GET", path: "/?watch=true", headers: {} });
  const reader = watch.body[Symbol.asyncIterator]();
  await reader.next();

  write("client.crt", john.cert);
  await clock.advance(10_000);
  assert.equal(await answer(transport), "jane", "half of a pair is not used");
  write("client.key", john.key);
  await clock.advance(10_000);
  assert.equal(await answer(transport), "john");
  const pending = reader.next();
  assert.equal(
    await Promise.race([pending.then(() => "ended"), new Promise((resolve) => setImmediate(() => resolve("goes on")))]),
    "goes on",
  );
  await transport[Symbol.asyncDispose]();
  await assert.rejects(pending, TransportError);
});

test("[TLS4] an authority that changes on disk is believed as soon as a server needs it", async () => {
  await using server = await startTls();
  const path = write("ca.crt", authority.cert);
  const connection = { server: server.url, certificateAuthority: { type: "File", path } } as const;
  await using http = httpTransport(connection, { environment: {}, clock: new ManualClock() });
  // A client repeats a read whose connection the server has just closed.
  const client = new KubeClient(http);
  const read = async (): Promise<string> => Buffer.from(await client.api.bytes({ method: "GET", path: "/" })).toString();
  await read();
  server.use(issueServing(otherAuthority, ["127.0.0.1"], issuing));
  await assert.rejects(read(), isFailure("Untrusted", /not trusted/));
  write("ca.crt", otherAuthority.cert);
  assert.equal(await read(), "nobody\n");
});

test("[TLS5] a plugin may print a certificate", async () => {
  await using server = await startTls();
  const { cert, key } = issueClient(authority, { commonName: "robot" }, issuing);
  const apiVersion = "client.authentication.k8s.io/v1";
  const credential = { apiVersion, kind: "ExecCredential", status: { clientCertificateData: cert, clientKeyData: key } };
  const exec = {
    apiVersion,
    command: process.execPath,
    args: ["-e", `console.log(${JSON.stringify(JSON.stringify(credential))})`],
  } as const;
  assert.equal(await answerTo({ server: server.url, certificateAuthority: inline(authority), user: { exec } }), "robot");
});

test("[TLS6] what is no certificate, or not the key's, is an error that says so and shows nothing", async () => {
  await using server = await startTls();
  const [jane, john] = ["jane", "john"].map((commonName) => issueClient(authority, { commonName }, issuing));
  assert.ok(jane && john);
  const ofUser = (certificate: string, key: string): Connection => ({
    server: server.url,
    certificateAuthority: inline(authority),
    user: { certificate: { certificate: { type: "Data", data: certificate }, key: { type: "Data", data: key } } },
  });
  await assert.rejects(answerTo(ofUser(jane.cert, john.key)), isFailure("Unauthenticated", /key values mismatch/));
  await assert.rejects(
    answerTo(ofUser("hunter2", jane.key)),
    (error) => isFailure("Unauthenticated", /cannot be used/)(error) && !String(error).includes("hunter2"),
  );
  await assert.rejects(
    answerTo({ server: server.url, certificateAuthority: { type: "File", path: "/no/such/ca" } }),
    isFailure("Unauthenticated", /certificate authority in \/no\/such\/ca/),
  );
  const noAuthority = /^the certificate authority in .*\/no\.crt cannot be used: there is no certificate in it$/;
  for (const text of [
    "hunter2",
    jane.key,
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    authority.cert.slice(0, -99),
  ]) {
    const path = write("no.crt", text);
    await assert.rejects(
      answerTo({ server: server.url, certificateAuthority: { type: "File", path } }),
      isFailure("Unauthenticated", noAuthority),
    );
  }
});

test("[TLS4] of an authority that is being written, what is there is not used before it is a certificate", async () => {
  await using server = await startTls();
  const path = write("ca.crt", authority.cert);
  const clock = new ManualClock();
  await using transport = httpTransport({ server: server.url, certificateAuthority: { type: "File", path } }, { environment: {}, clock });
  assert.equal(await answer(transport), "nobody");
  write("ca.crt", authority.cert.slice(0, -99));
  await clock.advance(60_000);
  server.use(serving);
  assert.equal(await answer(transport), "nobody");
});

test("[TLS7] a server that does not speak TLS, or only TLS, is told apart from one that is not there", async () => {
  const plain = createHttpServer((_request, response) => response.end());
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  const { port } = plain.address() as AddressInfo;
  await assert.rejects(answerTo({ server: `https://127.0.0.1:${port}` }), isFailure("Unreachable", /does not speak TLS/));
  plain.close();
});

test("[TLS9] a server that ends the handshake is told by what it says, whatever it is called there", async () => {
  const alerts: ReadonlyArray<readonly [number: number, reason: TransportFailure, message: RegExp]> = [
    [40, "Unreachable", /: the server ended the TLS handshake; it may require a client certificate \(GET \/\)$/],
    [42, "Unauthenticated", /: the server does not accept the client certificate \(GET \/\)$/],
    [44, "Unauthenticated", /: the server does not accept the client certificate \(GET \/\)$/],
    [45, "Unauthenticated", /: the client certificate has expired \(GET \/\)$/],
    [48, "Unauthenticated", /: the client certificate is signed by an authority unknown to the server \(GET \/\)$/],
    [116, "Unauthenticated", /: the server requires a client certificate \(GET \/\)$/],
    [70, "Unreachable", /: the server ended the TLS handshake: [a-z0-9 ]+ \(GET \/\)$/],
  ];
  for (const [number, reason, message] of alerts) {
    // A record of TLS: an alert, of version 1.2 and two bytes, that is fatal.
    const server = createNetServer((socket) => socket.once("data", () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, number]))));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    await assert.rejects(
      answerTo({ server: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }),
      isFailure(reason, message),
      `alert ${number}`,
    );
    server.close();
  }
});

test("[TLS8] a proxy makes a tunnel, in which client and server see each other's certificates", async () => {
  await using server = await startTls();
  await using proxy = await startProxy(server.port);
  const { cert, key } = issueClient(authority, { commonName: "jane" }, issuing);
  const answered = await answerTo({
    server: "https://kube.example:6443",
    proxyUrl: proxy.url,
    certificateAuthority: inline(authority),
    user: { certificate: { certificate: { type: "Data", data: cert }, key: { type: "Data", data: key } } },
  });
  assert.equal(answered, "jane");
  assert.deepEqual(proxy.tunnels, [`kube.example:6443 Basic ${Buffer.from("me:pass").toString("base64")}`]);
});

test("[TLS8] so does a SOCKS proxy, for requests and for watches", async () => {
  await using server = await startTls();
  await using proxy = await startSocks(server.port);
  const { cert, key } = issueClient(authority, { commonName: "jane" }, issuing);
  const connection = {
    server: "https://kube.example:6443",
    proxyUrl: proxy.url,
    certificateAuthority: inline(authority),
    user: { certificate: { certificate: { type: "Data", data: cert }, key: { type: "Data", data: key } } },
  } as const;
  await using transport = httpTransport(connection, { environment: {} });
  assert.equal(await answer(transport), "jane");
  const { body } = await transport({ method: "GET", path: "/api/v1/pods?watch=true", headers: {} });
  for await (const piece of body) {
    assert.equal(Buffer.from(piece).toString(), "jane\n");
    break;
  }
  assert.deepEqual(proxy.tunnels, ["kube.example:6443", "kube.example:6443"]);
});

test("[TLS8] a proxy that is none, or that does not let through, is told apart from a server that is not there", async () => {
  const behind = (proxyUrl: string): Promise<string> =>
    answerTo({ server: "https://kube.example:6443", proxyUrl, certificateAuthority: inline(authority) });
  const plain = createHttpServer((_request, response) => response.end());
  plain.on("connect", (_request, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  const { port } = plain.address() as AddressInfo;
  await assert.rejects(
    behind(`http://me:pass@127.0.0.1:${port}`),
    isFailure(
      "Unreachable",
      /^no answer from https:\/\/kube\.example:6443 through the proxy 127\.0\.0\.1:\d+: the proxy refused CONNECT with status 403/,
    ),
  );
  await assert.rejects(behind(`socks5://127.0.0.1:${port}`), isFailure("Unreachable", /the proxy does not speak SOCKS 5/));
  plain.closeAllConnections();
  plain.close();
  await once(plain, "close");
  await assert.rejects(
    behind(`http://127.0.0.1:${port}`),
    isFailure("Unreachable", /through the proxy 127\.0\.0\.1:\d+: connection refused/),
  );
});

test("[HTTP26] behind a proxy, a request whose turn comes as its connection ends is sent on another", async () => {
  let received = 0;
  const server = createTlsServer(serving, (socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      received++;
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await using proxy = await startProxy((server.address() as AddressInfo).port);
  const connection = { server: "https://kube.example:6443", proxyUrl: proxy.url, certificateAuthority: inline(authority) };
  await using transport = httpTransport(connection, { environment: {} });
  // More than have connections at once. One that is sent a moment too early is received, and not answered.
  const requests = Array.from({ length: 40 }, () => transport({ method: "POST", path: "/", headers: {} }));
  await Promise.allSettled(requests);
  server.close();
  await once(server, "close");
  assert.equal(received, requests.length);
});
