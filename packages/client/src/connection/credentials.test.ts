import assert from "node:assert/strict";
import { test } from "node:test";
import type { TransportResponse } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { httpTransport } from "../http/http-transport.ts";
import { startHttpServer } from "../testing/http-server.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { TransportError } from "../transport-error.ts";
import { credentialsOf } from "./credentials.ts";

test("[CRED5] a token file wins over a token, and what it has is shown without its line end", async () => {
  using folder = temporaryFolder();
  const tokenFile = folder.write("token", "from-file\n");
  const source = credentialsOf({ tokenFile, token: "fixed" }, new ManualClock());
  assert.equal((await source.current()).authorization, "Bearer from-file");
});

test("[CRED4] a token file that cannot be a token is an error that names it, and the next one is taken", async () => {
  using folder = temporaryFolder();
  const clock = new ManualClock();
  const tokenFile = folder.write("token", "good");
  const source = credentialsOf({ tokenFile }, clock);
  await source.current();
  for (const text of ["two\r\nlines", "a b", "\u0000\uffff"]) {
    folder.write("token", text);
    await clock.advance(10_000);
    const isNamed = (error: unknown): boolean =>
      error instanceof TransportError && error.reason === "Unauthenticated" && error.message.includes(`${tokenFile} has characters`);
    await assert.rejects(async () => source.current(), isNamed);
  }
  folder.write("token", "better");
  await clock.advance(10_000);
  assert.equal((await source.current()).authorization, "Bearer better");
});

test("[CRED6] credentials are the same object until they change", async () => {
  using folder = temporaryFolder();
  const certificate = { type: "File", path: folder.write("cert", "c1") } as const;
  const key = { type: "Data", data: "k" } as const;
  const clock = new ManualClock();
  const source = credentialsOf({ certificate: { certificate, key }, token: "t" }, clock);
  const first = await source.current();
  assert.deepEqual(first, { authorization: "Bearer t", certificate: { certificate: "c1", key: "k" } });
  assert.equal(await source.current(), first);
  folder.write("cert", "c2");
  await clock.advance(10_000);
  assert.equal((await source.current()).certificate?.certificate, "c2");
});

test("[CRED7] a token that the server refuses is read anew and tried once more", async () => {
  using folder = temporaryFolder();
  const tokenFile = folder.write("token", "old");
  const shown: unknown[] = [];
  await using server = await startHttpServer((request, response) => {
    shown.push(request.headers.authorization);
    response.writeHead(request.headers.authorization === "Bearer new" ? 200 : 401).end();
  });
  await using transport = httpTransport({ server: server.url, user: { tokenFile } }, { environment: {}, clock: new ManualClock() });
  const get = async (): Promise<TransportResponse> => transport({ method: "GET", path: "/", headers: {} });
  assert.equal((await get()).status, 401);
  folder.write("token", "new");
  assert.equal((await get()).status, 200);
  assert.deepEqual(shown, ["Bearer old", "Bearer old", "Bearer new"]);
});

test("[CRED8] credentials that cannot be had are no answer, and waiting for them can be aborted", async () => {
  await using server = await startHttpServer((_request, response) => response.end());
  await using missing = httpTransport({ server: server.url, user: { tokenFile: "/no/such/token" } }, { environment: {} });
  await assert.rejects(
    missing({ method: "GET", path: "/", headers: {} }),
    (error) => error instanceof TransportError && error.reason === "Unauthenticated",
  );
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: process.execPath,
    args: ["-e", ""],
  } as const;
  await using slow = httpTransport({ server: server.url, user: { exec } }, { environment: {} });
  const abort = new AbortController();
  const waiting = slow({ method: "GET", path: "/", headers: {}, signal: abort.signal });
  setImmediate(() => abort.abort(new Error("no patience")));
  await assert.rejects(waiting, /no patience/);
});
