import assert from "node:assert/strict";
import { generateKeyPair, generateKeyPairSync, randomBytes, randomInt, scryptSync, sign } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { test } from "node:test";
import { promisify } from "node:util";
import { gzip, gzipSync, zstdCompressSync } from "node:zlib";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { explore } from "../exploration/explore.ts";

const Note = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Note", spec: z.object({ text: z.string() }) });
const note = { metadata: { name: "n", namespace: "default" }, spec: { text: "one" } };

test("a reconcile that reads a file is told where it does, and nothing else is explored of it", async () => {
  const reader = defineController(Note, {
    async reconcile() {
      await readFile(new URL(import.meta.url));
    },
  });
  const { findings } = await explore({ controllers: [reader], ops: (user) => [user.create(Note, note)], runs: 1 });
  const [finding] = findings;
  assert.equal(finding?.violation.oracle, "real I/O");
  assert.match(finding.violation.message, /a reconcile uses a file, .*real-io\.test\.ts:\d+/);
});

test("a reconcile that fetches and fails again and again is told of the fetch, and not of what it fails with", async () => {
  const nobody = await closedPort();
  const fetcher = defineController(Note, {
    async reconcile() {
      await fetch(`http://127.0.0.1:${nobody}`);
    },
  });
  const { findings } = await explore({ controllers: [fetcher], ops: (user) => [user.create(Note, note)], runs: 1 });
  const [finding] = findings;
  assert.equal(finding?.violation.oracle, "real I/O");
  assert.match(finding.violation.message, /a reconcile uses .*real-io\.test\.ts:\d+/);
  assert.ok(findings.every(({ violation }) => violation.oracle === "real I/O"));
});

test("a reconcile that fetches over a connection that is open already is told of the fetch", async () => {
  await using server = createHttpServer((_request, response) => response.end("fine")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const fetcher = defineController(Note, {
    async reconcile() {
      await (await fetch(`http://127.0.0.1:${portOf(server)}`)).text();
    },
  });
  const { findings } = await explore({ controllers: [fetcher], ops: (user) => [user.create(Note, note)], runs: 1 });
  assert.match(findings[0]?.violation.message ?? "", /a reconcile uses an HTTP request, .*real-io\.test\.ts:\d+/);
  server.closeAllConnections();
});

/** What is said of a reconcile that does this. */
async function found(work: () => unknown): Promise<string | undefined> {
  const worker = defineController(Note, {
    async reconcile() {
      await work();
    },
  });
  const { findings } = await explore({ controllers: [worker], ops: (user) => [user.create(Note, note)], runs: 1 });
  return findings[0]?.violation.message;
}

test("compression in the thread pool is told of, and compression that is done when it returns is not", async () => {
  assert.match(
    (await found(() => promisify(gzip)("text"))) ?? "",
    /a reconcile uses compression in the thread pool, .*real-io\.test\.ts:\d+/,
  );
  assert.equal(await found(() => gzipSync("text")), undefined);
  assert.equal(await found(() => zstdCompressSync("text")), undefined);
});

test("cryptography in the thread pool is told of, and what is done when it returns is not", async () => {
  const inPool = [
    () => promisify(randomBytes)(16),
    () => promisify(generateKeyPair)("ed25519"),
    () => crypto.subtle.digest("SHA-256", Buffer.of(1)),
  ];
  for (const work of inPool) assert.match((await found(work)) ?? "", /a reconcile uses .* thread pool, .*real-io\.test\.ts:\d+/);
  const { privateKey } = generateKeyPairSync("ed25519");
  const atOnce = [
    () => randomBytes(16),
    () => randomInt(9),
    () => scryptSync("text", "salt", 9),
    () => generateKeyPairSync("ed25519"),
    () => sign(null, Buffer.of(1), privateKey),
  ];
  for (const work of atOnce) assert.equal(await found(work), undefined);
});

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : assert.fail("the server has no port");
}
