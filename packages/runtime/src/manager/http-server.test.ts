import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { connect } from "node:tls";
import { systemClock } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { RecordingLog } from "../log/testing/recording-log.ts";
import { createAuthority, issueServing } from "../certificates/certificate-authority.ts";
import { ReplacedCertificate } from "../certificates/certificate-source.ts";
import type { CertificateSource } from "../certificates/certificate-source.ts";
import { httpServer } from "./http-server.ts";
import type { HttpServerOptions } from "./http-server.ts";
import { parseListenAddress } from "./listen-address.ts";
import { listenOn } from "./listen-on.ts";

function serverOf(answer: HttpServerOptions["answer"], port = 0, certificates?: CertificateSource): ReturnType<typeof httpServer> {
  const address = { host: "127.0.0.1", port };
  const remedy = "choose another with --metrics-address";
  return httpServer({ name: "metrics", address, remedy, answer, certificates, log: new RecordingLog() });
}

test("[HS1] a server answers GET until it is aborted, and holds no connection after that", async () => {
  const server = serverOf(({ path, query, bearerToken }) => ({
    status: 200,
    contentType: "text/plain",
    body: `${path} ${query.get("a") ?? ""} ${bearerToken ?? ""}`,
  }));
  const end = new AbortController();
  const running = server.run(end.signal);
  const { port } = await server.ready;
  const url = `http://127.0.0.1:${port}`;
  assert.equal(await (await fetch(`${url}/x?a=1`, { headers: { authorization: "Bearer t" } })).text(), "/x 1 t");
  assert.equal((await fetch(url, { method: "POST" })).status, 405);
  end.abort();
  await running;
  await assert.rejects(fetch(url));
});

test("[HS1] an answer that fails is a 500, and the server lives", async () => {
  const server = serverOf(() => Promise.reject(new Error("secret detail")));
  const end = new AbortController();
  const running = server.run(end.signal);
  const response = await fetch(`http://127.0.0.1:${(await server.ready).port}`);
  assert.deepEqual([response.status, await response.text()], [500, "internal error\n"]);
  end.abort();
  await running;
});

test("[HS1] so is an answer that cannot be sent", async () => {
  const server = serverOf(({ path }) => ({ status: path === "/" ? 200 : 99, contentType: "text/plain", body: "well" }));
  const end = new AbortController();
  const running = server.run(end.signal);
  const url = `http://127.0.0.1:${(await server.ready).port}`;
  assert.equal((await fetch(`${url}/wrong`)).status, 500);
  assert.equal(await (await fetch(url)).text(), "well");
  end.abort();
  await running;
});

test("[HS1] a connection that could not be accepted is lost alone", async () => {
  await using server = createServer();
  await listenOn(server, { host: "127.0.0.1", port: 0 }, (why) => new Error(why));
  // As Node tells it when the process has no more files.
  assert.ok(server.emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" })));
});

test("[HS2] a port in use is told with what to do", async () => {
  const first = serverOf(() => ({ status: 200, contentType: "text/plain", body: "" }));
  const end = new AbortController();
  const running = first.run(end.signal);
  const { port } = await first.ready;
  const second = serverOf(() => ({ status: 200, contentType: "text/plain", body: "" }), port);
  await assert.rejects(second.run(end.signal), {
    name: "StartupError",
    message: `cannot listen on 127.0.0.1:${port} for metrics: the port is in use; choose another with --metrics-address`,
  });
  end.abort();
  await running;
});

test("[HS4] with a certificate a server speaks TLS, and shows a new certificate as soon as there is one", async () => {
  const options = { clock: systemClock, random: seededRandom(1), lifetimeMs: 3_600_000 };
  const authority = createAuthority("test", options);
  const certificates = new ReplacedCertificate();
  const server = serverOf(() => ({ status: 200, contentType: "text/plain", body: "secret" }), 0, certificates);
  const end = new AbortController();
  const running = server.run(end.signal);
  const serials: string[] = [];
  for (let round = 0; round < 2; round++) {
    certificates.replace(issueServing(authority, ["localhost"], options));
    const { port } = await server.ready;
    const socket = connect({ port, host: "127.0.0.1", servername: "localhost", ca: authority.cert });
    await once(socket, "secureConnect");
    assert.equal(socket.authorized, true);
    serials.push(socket.getPeerCertificate().serialNumber);
    socket.destroy();
  }
  assert.notEqual(serials[0], serials[1]);
  end.abort();
  await running;
});

test("[HS4] one that is told to end while it waits for its certificate ends in order", async () => {
  const server = serverOf(() => ({ status: 200, contentType: "text/plain", body: "" }), 0, new ReplacedCertificate());
  const end = new AbortController();
  const running = server.run(end.signal);
  end.abort();
  await running;
});

test("[HS3] an address is a port, a host and a port, or 0 for none", () => {
  assert.deepEqual(parseListenAddress(":8080"), { host: undefined, port: 8080 });
  assert.deepEqual(parseListenAddress("127.0.0.1:0"), { host: "127.0.0.1", port: 0 });
  assert.deepEqual(parseListenAddress("[::1]:9"), { host: "::1", port: 9 });
  assert.equal(parseListenAddress("0"), undefined);
  for (const bad of ["8080", "a:b", ":70000", "::1:9", "http://x:1"]) assert.throws(() => parseListenAddress(bad), /is not an address/);
});
