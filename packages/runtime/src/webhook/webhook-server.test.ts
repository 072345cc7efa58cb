import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect as connectTls } from "node:tls";
import { systemClock, systemRandom } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { defineResource, k } from "@kaji/core/define";
import { z } from "zod";
import type { AdmissionReview } from "./admission-review.ts";
import { ReplacedCertificate } from "../certificates/certificate-source.ts";
import { createAuthority } from "../certificates/certificate-authority.ts";
import type { Certificate } from "../certificates/certificate.ts";
import { bundleOf, rotate } from "../certificates/rotation.ts";
import type { WebhookKeys } from "../certificates/rotation.ts";
import { bar, barRequest, reviewOf } from "./testing/bar.ts";
import { callHttps } from "./testing/https-call.ts";
import { webhook } from "./webhook.ts";
import { webhookHandler } from "./webhook-handler.ts";
import { createWebhookServer } from "./webhook-server.ts";
import type { WebhookServerOptions } from "./webhook-server.ts";

const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({ deploymentName: k.dnsLabel() }) });
const path = "/validate-example-com-v1-bar";
const review = JSON.stringify(reviewOf(barRequest()));

interface Rig extends AsyncDisposable {
  readonly keys: WebhookKeys;
  readonly port: number;
  readonly certificates: ReplacedCertificate;
  readonly ca: string;
  readonly end: AbortController;
  readonly running: Promise<void>;
}

const issuing = {
  clock: systemClock,
  random: systemRandom,
  names: ["127.0.0.1"],
  authorityLifetimeMs: 3600_000,
  certificateLifetimeMs: 3600_000,
  overlapMs: 0,
};

async function start(options: Partial<WebhookServerOptions> = {}): Promise<Rig> {
  const keys = rotate(undefined, false, issuing);
  const { authorities, serving } = keys;
  const certificates = new ReplacedCertificate();
  certificates.replace(serving);
  const handler = webhookHandler({ webhooks: [webhook(Bar, { validate: () => {} })] });
  const server = createWebhookServer({ handler, certificates, host: "127.0.0.1", port: 0, linger: 0, ...options });
  const end = new AbortController();
  const running = server.run(end.signal);
  const { port } = await server.ready;
  return {
    port,
    keys,
    certificates,
    ca: bundleOf({ authorities, serving }),
    end,
    running,
    async [Symbol.asyncDispose]() {
      end.abort();
      await running;
    },
  };
}

function isAllowed(body: string): boolean {
  return (JSON.parse(body) as AdmissionReview).response?.allowed === true;
}

test("[WHS1] reviews are answered over HTTPS, and health without authentication", async () => {
  await using rig = await start();
  const answer = await callHttps({ ...rig, path: `${path}?timeout=10s`, body: review });
  assert.equal(answer.status, 200);
  assert.ok(isAllowed(answer.body));
  assert.equal((await callHttps({ ...rig, path: "/healthz" })).body, "ok");
});

test("[WHS2] none of 200 concurrent requests fails while certificates and their authorities are replaced", async () => {
  await using rig = await start();
  let [ca, keys] = [rig.ca, rotate(undefined, false, issuing)];
  ca += bundleOf(keys);
  const requests = Array.from({ length: 200 }, async () => {
    const { body } = await callHttps({ port: rig.port, ca, path, body: review });
    return isAllowed(body);
  });
  for (let replaced = 0; replaced < 10; replaced++) {
    keys = rotate({ ...keys, serving: { ...keys.serving, issuer: "" } }, true, issuing);
    rig.certificates.replace(keys.serving);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  const answers = await Promise.all(requests);
  assert.equal(answers.filter(Boolean).length, 200);
  const after = await callHttps({ port: rig.port, ca: bundleOf(keys), path, body: review });
  assert.ok(isAllowed(after.body), "the last certificate is the one that is shown");
  await assert.rejects(callHttps({ ...rig, path, body: review }), "the first certificate is no longer shown");
});

test("[WHS3] when it ends, requests under way are answered, and clients are told not to come back on the same connection", async () => {
  const clock = new ManualClock();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>();
  const slow = webhook(Bar, {
    async validate() {
      begin();
      await decided;
    },
  });
  await using rig = await start({ handler: webhookHandler({ webhooks: [slow] }), clock, linger: "3s" });
  using agent = disposable(new Agent({ keepAlive: true }));
  const first = callHttps({ ...rig, path, body: review, agent: agent.value });
  await begun;
  rig.end.abort();
  await clock.advance(0);
  const lingering = await callHttps({ ...rig, path: "/healthz" });
  assert.deepEqual([lingering.status, lingering.headers.connection], [200, "close"]);
  await clock.advance(3000);
  // What has come in by then is read first, and answered.
  const isRefused = (): Promise<boolean> =>
    callHttps({ ...rig, path: "/healthz" }).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
    );
  while (!(await isRefused()));
  decide();
  assert.ok(isAllowed((await first).body));
  await rig.running;
});

test("[WHS4] a request that never ends is cut when the grace is over", async () => {
  const clock = new ManualClock();
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
  const stuck = webhook(Bar, {
    validate(_object, { signal }) {
      begin(signal);
      return new Promise<void>(() => {});
    },
  });
  await using rig = await start({ handler: webhookHandler({ webhooks: [stuck] }), clock, grace: "10s" });
  const call = assert.rejects(callHttps({ ...rig, path, body: review }), /socket hang up|ECONNRESET/);
  const signal = await begun;
  rig.end.abort();
  await clock.advance(0);
  await clock.advance(10_000);
  await call;
  await rig.running;
  assert.ok(signal.aborted, "its handler is told that the client is gone");
});

test("[WHS4] so is a connection that never sent a byte", async () => {
  const clock = new ManualClock();
  await using rig = await start({ clock, grace: "10s" });
  const silent = connect(rig.port, "127.0.0.1");
  await once(silent, "connect");
  await callHttps({ ...rig, path: "/healthz" });
  rig.end.abort();
  await clock.advance(0);
  await clock.advance(10_000);
  await rig.running;
  if (!silent.closed) await once(silent, "close");
});

test("[WHS5] a port in use is one clear error", async () => {
  using other = disposable(createServer().listen(0, "127.0.0.1"));
  await once(other.value, "listening");
  const { port } = other.value.address() as AddressInfo;
  const certificates = new ReplacedCertificate();
  certificates.replace(rotate(undefined, false, issuing).serving);
  const server = createWebhookServer({ handler: webhookHandler({}), certificates, host: "127.0.0.1", port });
  await assert.rejects(server.run(new AbortController().signal), {
    name: "WebhookListenError",
    message: `the webhook server cannot listen on 127.0.0.1:${port}: the port is in use`,
  });
});

test("[WHS8] with authorities for clients only those are answered who show a certificate of one, after a renewal of ours too", async () => {
  await using folder = await temporaryFolder();
  const lifetimeMs = 3600_000;
  const [known, unknown] = ["known", "unknown"].map((name) => createAuthority(name, { ...issuing, lifetimeMs }));
  const clientCaFile = join(folder.path, "clients.crt");
  await writeFile(clientCaFile, known?.cert ?? "");
  await using rig = await start({ clientCaFile });
  const call = (client: Certificate | undefined): ReturnType<typeof callHttps> =>
    callHttps({ ...rig, path, body: review, ...(client === undefined ? {} : { client }) });
  const check = async (): Promise<void> => {
    assert.ok(isAllowed((await call(known)).body));
    await assert.rejects(call(unknown));
    await assert.rejects(call(undefined));
  };
  await check();
  const { serving } = rotate(rig.keys, true, { ...issuing, names: ["127.0.0.1", "localhost"] });
  rig.certificates.replace(serving);
  await check();
});

test("[WHS8] authorities that cannot be read are one error that names the file", async () => {
  await using folder = await temporaryFolder();
  const clientCaFile = join(folder.path, "clients.crt");
  const failure = (): Promise<void> =>
    createWebhookServer({ handler: webhookHandler({}), certificates: new ReplacedCertificate(), clientCaFile }).run(
      new AbortController().signal,
    );
  await assert.rejects(failure(), { name: "ClientAuthoritiesError", message: /cannot be read from .*clients\.crt: ENOENT/ });
  await writeFile(clientCaFile, "nothing");
  await assert.rejects(failure(), { name: "ClientAuthoritiesError", message: /it has no certificate in PEM$/ });
  await writeFile(clientCaFile, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  await assert.rejects(failure(), { name: "ClientAuthoritiesError" });
});

test("[WHS6] a body that is too large is refused, not kept", async () => {
  await using rig = await start();
  for (const each of [path, "/convert"]) {
    const { status, body } = await callHttps({ ...rig, path: each, body: `"${"x".repeat(8 * 1024 * 1024)}"` });
    assert.equal(status, 413);
    assert.match(body, /the body has 8388610 bytes, and at most 7340032 are read/);
  }
});

test("[WHS13] of a request for an API no body is kept: it needs none, and whose it is is not known yet", async () => {
  await using rig = await start();
  const sent = await callHttps({ ...rig, path: "/apis/example.com/v1/bars", body: `"${"x".repeat(8 * 1024 * 1024)}"` });
  assert.equal(sent.status, 404);
});

test("[WHS9] a request whose body has no room beside those of others is told to come back, and finds room when one is answered", async () => {
  const undecided: (() => void)[] = [];
  const { promise: crowded, resolve: crowd } = Promise.withResolvers<void>();
  const slow = webhook(Bar, {
    validate: () =>
      new Promise<void>((resolve) => {
        if (undecided.push(resolve) === 2) crowd();
      }),
  });
  await using rig = await start({ handler: webhookHandler({ webhooks: [slow] }) });
  const large = JSON.stringify(
    reviewOf(barRequest({ object: bar(undefined, { annotations: { large: "x".repeat(7 * 1024 * 1024 - 1000) } }) })),
  );
  const call = (): ReturnType<typeof callHttps> => callHttps({ ...rig, path, body: large });
  const first = Array.from({ length: 2 }, call);
  await crowded;
  const { status, headers, body } = await call();
  assert.deepEqual([status, headers["retry-after"]], [429, "1"]);
  assert.match(body, /the body has 733\d{4} bytes, for which there is no room beside those of other requests/);
  undecided.shift()?.();
  assert.ok(isAllowed((await Promise.race(first)).body));
  const again = call();
  while (undecided.length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (const decide of undecided) decide();
  for (const answer of await Promise.all([...first, again])) assert.ok(isAllowed(answer.body));
});

test("[WHS9] a request that does not arrive in time is cut off, and what it held is free", async () => {
  const clock = new ManualClock();
  await using rig = await start({ clock });
  const declared = 7 * 1024 * 1024;
  const stuck = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const socket = connectTls({ port: rig.port, host: "127.0.0.1", ca: rig.ca });
      await once(socket, "secureConnect");
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${declared}\r\n\r\n{`);
      return socket;
    }),
  );
  const large = `"${"x".repeat(declared - 2)}"`;
  while ((await callHttps({ ...rig, path, body: large })).status !== 429);
  const ends = stuck.map((socket) =>
    once(
      socket.resume().on("error", () => {}),
      "close",
    ),
  );
  await clock.advance(32_000);
  await Promise.all(ends);
  assert.equal((await callHttps({ ...rig, path, body: large })).status, 400, "it is read, and is no review");
  rig.end.abort();
  await clock.advance(0);
});

test("[WHS7] without a certificate it waits for one, and can be ended meanwhile", async () => {
  const end = new AbortController();
  const server = createWebhookServer({ handler: webhookHandler({}), certificates: new ReplacedCertificate(), port: 0 });
  let isOver = false;
  const running = server.run(end.signal).then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isOver, false);
  end.abort();
  await running;
});

function disposable<T extends { close?(): unknown; destroy?(): unknown }>(value: T): Disposable & { readonly value: T } {
  return { value, [Symbol.dispose]: () => void (value.close?.() ?? value.destroy?.()) };
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "kaji-webhook-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
