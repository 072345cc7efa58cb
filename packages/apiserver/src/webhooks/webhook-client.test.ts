import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo, Server as TcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { before, suite, test } from "node:test";
import { bodyFromBytes, systemClock } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { createTestCertificates } from "../testing/test-certificates.ts";
import type { TestCertificates } from "../testing/test-certificates.ts";
import { WebhookClient } from "./webhook-client.ts";
import type { WebhookTargets } from "./webhook-client.ts";

let certificates: TestCertificates;
let caBundle: string;
before(async () => {
  certificates = createTestCertificates();
  caBundle = Buffer.from(certificates.authority.cert).toString("base64");
});

const review = { kind: "AdmissionReview" };

suite("over the network", () => {
  test("[WH1] posts the review as JSON to the path, with the time it has, and returns the answer", async () => {
    const seen: Promise<readonly (string | undefined)[]>[] = [];
    await using server = await listening((request, response) => {
      seen.push(text(request).then((body) => [request.method, request.url, body]));
      response.end("answer");
    });
    using client = clientOf();
    const body = await client.post({ config: { url: `${server.url}/a/../b/`, caBundle }, review, timeoutSeconds: 7, signal: undefined });
    assert.equal(Buffer.from(body).toString(), "answer");
    assert.deepEqual(await Promise.all(seen), [["POST", "/b?timeout=7s", '{"kind":"AdmissionReview"}']]);
  });

  test("[WH2] believes no certificate but those that its authority signed, for the name that is called", async () => {
    await using server = await listening((_request, response) => response.end("{}"));
    const other = Buffer.from(createTestCertificates().authority.cert).toString("base64");
    const unknown = "tls: failed to verify certificate: x509: certificate signed by unknown authority";
    await fails({ url: server.url, caBundle: other }, `Post "${server.url}/": ${unknown}`);
    await fails({ url: server.url }, `Post "${server.url}/": ${unknown}`);
    const service = { name: "hooks", namespace: "default" };
    const resolveService = (): URL => new URL(server.url);
    const wrong = "tls: failed to verify certificate: x509: certificate is valid for localhost, 127.0.0.1, not hooks.default.svc";
    await fails({ service, caBundle }, `Post "https://hooks.default.svc:443/": ${wrong}`, { resolveService });
  });

  test("[WH3] what stands in the way of an answer is said in Go's words", async () => {
    const closed = await listening(() => {});
    await closed[Symbol.asyncDispose]();
    await fails({ url: closed.url, caBundle }, `Post "${closed.url}/": dial tcp ${new URL(closed.url).host}: connect: connection refused`);
    await using rude = await listening((request) => request.socket.destroy());
    await fails({ url: rude.url, caBundle }, `Post "${rude.url}/": EOF`);
    await using plain = await listening((_request, response) => response.end("{}"), "http");
    const secure = plain.url.replace("http:", "https:");
    await fails({ url: secure, caBundle }, `Post "${secure}/": http: server gave HTTP response to HTTPS client`);
    await fails(
      { url: "https://localhost", caBundle: "bm9uc2Vuc2U=" },
      "unable to load root certificates: unable to parse bytes as PEM block",
    );
  });

  test("[WH4] a webhook has the time its configuration gives it, by the server's clock", async () => {
    await using server = await listening(() => {});
    const clock = new ManualClock();
    using client = new WebhookClient({}, clock);
    const answer = client.post({ config: { url: server.url, caBundle }, review, timeoutSeconds: 3, signal: undefined });
    answer.catch(() => {});
    await server.asked;
    await clock.advance(3000);
    await assert.rejects(answer, { message: `Post "${server.url}/?timeout=3s": context deadline exceeded` });
  });

  test("[WH4] a client that goes away ends the call", async () => {
    await using server = await listening(() => {});
    using client = clientOf();
    const leaving = new AbortController();
    const answer = client.post({ config: { url: server.url, caBundle }, review, signal: leaving.signal });
    answer.catch(() => {});
    await server.asked;
    leaving.abort();
    await assert.rejects(answer, { message: `Post "${server.url}/": context canceled` });
  });

  test("[WH5] connections are kept, and made anew when the other side has closed them", async () => {
    await using server = await listening((_request, response) => response.end("{}"));
    using client = clientOf();
    const config = { url: server.url, caBundle };
    for (let call = 0; call < 5; call++) await client.post({ config, review, signal: undefined });
    assert.equal(server.connections(), 1);
    server.closeIdle();
    for (let call = 0; call < 5; call++) await client.post({ config, review, signal: undefined });
  });
});

suite("services and processes", () => {
  test("[WH6] a service is called where it is found, under its own name", async () => {
    const hosts: (string | undefined)[] = [];
    const names = ["hooks.default.svc"];
    const { serving, authority } = createTestCertificates(names);
    await using server = await listening(
      (request, response) => {
        hosts.push(request.headers.host);
        response.end("{}");
      },
      "https",
      serving,
    );
    const asked: unknown[] = [];
    const resolveService: WebhookTargets["resolveService"] = (service) => {
      asked.push(service);
      return new URL(server.url);
    };
    using client = clientOf({ resolveService });
    const config = {
      service: { name: "hooks", namespace: "default", port: 8443 },
      caBundle: Buffer.from(authority.cert).toString("base64"),
    };
    await client.post({ config, review, signal: undefined });
    assert.deepEqual([asked, hosts], [[{ name: "hooks", namespace: "default", port: 8443 }], ["hooks.default.svc:8443"]]);
  });

  test("[WH8] an endpoint of a service that has gone fails no call if another has taken its place", async () => {
    const { serving, authority } = createTestCertificates(["hooks.default.svc"]);
    const gone = await listening((_request, response) => response.end("{}"), "https", serving);
    await gone[Symbol.asyncDispose]();
    await using server = await listening((_request, response) => response.end("answer"), "https", serving);
    const endpoints = [gone.url, server.url];
    using client = clientOf({ resolveService: () => new URL(endpoints.shift() ?? gone.url) });
    const config = { service: { name: "hooks", namespace: "default" }, caBundle: Buffer.from(authority.cert).toString("base64") };
    assert.equal(Buffer.from(await client.post({ config, review, signal: undefined })).toString(), "answer");
    await assert.rejects(client.post({ config, review, signal: undefined }), /connect: connection refused$/);
  });

  test("[WH6] a service that cannot be found is no answer", async () => {
    const resolveService = (): never => {
      throw new Error('service "hooks" not found');
    };
    const service = { name: "hooks", namespace: "default", path: "/x" };
    await fails({ service }, 'Post "https://hooks.default.svc:443/x": service "hooks" not found', { resolveService });
  });

  test("[WH7] a webhook of the same process is called without network, by the origin of its URL or service", async () => {
    const paths: string[] = [];
    const inProcess: Transport = async ({ path }) => {
      paths.push(path);
      return { status: 200, headers: {}, body: bodyFromBytes(Buffer.from("{}")) };
    };
    using client = clientOf({
      inProcess: new Map([
        ["https://hooks.default.svc", inProcess],
        ["https://localhost:9443", inProcess],
      ]),
    });
    await client.post({ config: { service: { name: "hooks", namespace: "default", path: "/a" } }, review, signal: undefined });
    await client.post({ config: { url: "https://localhost:9443/b" }, review, timeoutSeconds: 1, signal: undefined });
    assert.deepEqual(paths, ["/a", "/b?timeout=1s"]);
  });
});

function clientOf(targets: WebhookTargets = {}): WebhookClient {
  return new WebhookClient(targets, systemClock);
}

async function fails(config: Parameters<WebhookClient["post"]>[0]["config"], message: string, targets: WebhookTargets = {}): Promise<void> {
  using client = clientOf(targets);
  await assert.rejects(client.post({ config, review, signal: undefined }), { name: "WebhookCallError", message });
}

interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** When the first request has come. */
  readonly asked: Promise<unknown>;
  connections(): number;
  closeIdle(): void;
}

async function listening(
  handler: RequestListener,
  scheme: "http" | "https" = "https",
  { cert, key } = certificates.serving,
): Promise<TestServer> {
  const server: Server = scheme === "https" ? createServer({ cert, key }, handler) : createPlainServer(handler);
  let connections = 0;
  server.on(scheme === "https" ? "secureConnection" : "connection", () => connections++);
  const asked = once(server, "request");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `${scheme}://127.0.0.1:${portOf(server)}`,
    asked,
    connections: () => connections,
    closeIdle: () => server.closeIdleConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function portOf(server: TcpServer): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new TypeError("a server that listens on TCP has a port");
  return address.port;
}
