import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { createAuthority, issueClient, issueServing } from "@kaji/apiserver";
import { systemClock, systemRandom } from "@kaji/core";
import { freePort } from "../dev/free-port.ts";
import { ran } from "../testing/run-program.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "kaji-assets-"));
after(() => rmSync(folder, { recursive: true }));

test("assets: programs that take the flags of kube-apiserver and etcd, and a kubectl", async () => {
  const kubectl = join(folder, "some-kubectl");
  writeFileSync(kubectl, "#!/bin/sh\n");
  chmodSync(kubectl, 0o755);
  const assets = join(folder, "it's here");
  assert.deepEqual(await ran(["assets", assets, "--kubectl", kubectl]), { code: 0, out: `${assets}\n`, err: "" });
  assert.equal((await ran(["assets", assets, "--kubectl", kubectl])).code, 0, "a second time");
  assert.deepEqual(JSON.parse((await ran(["assets", assets, "--kubectl", kubectl, "--output", "json"])).out), { folder: assets, kubectl });
  assert.equal(readlinkSync(join(assets, "kubectl")), kubectl);
  const { stdout: help } = await run(join(assets, "kube-apiserver"), ["--help"]);
  assert.match(help, /^ +--secure-port\b/m);
  assert.doesNotMatch(help, /^ +--insecure-port\b/m, "envtest would use it");
  await startsAndAnswers(assets);
});

test("assets: what kaji has not written stays", async () => {
  const assets = mkdtempSync(join(folder, "real-"));
  writeFileSync(join(assets, "etcd"), "ELF");
  const { code, err } = await ran(["assets", assets]);
  assert.equal(code, 1);
  assert.match(err, /etcd was not written by kaji; choose another folder/);
  assert.equal(readFileSync(join(assets, "etcd"), "utf8"), "ELF");
});

test("assets: a kubectl that is none, and a folder that cannot be made, are said in one line", async () => {
  const gone = join(folder, "no-kubectl");
  assert.equal(
    (await ran(["assets", folder, "--kubectl", gone])).err,
    `kaji: ${gone} is not a program that can be run; --kubectl takes one\n`,
  );
  writeFileSync(join(folder, "file"), "");
  const { code, err } = await ran(["assets", join(folder, "file/below")]);
  assert.equal(code, 1);
  assert.match(err, /^kaji: .*below cannot be made: ENOTDIR.*\n$/);
});

test("assets: a folder is needed", async () => {
  const { code, err } = await ran(["assets"]);
  assert.equal(code, 2);
  assert.match(err, /kaji assets needs a folder to write to/);
});

/** Does what envtest does. */
async function startsAndAnswers(assets: string): Promise<void> {
  const etcdPort = await freePort();
  const etcd = spawn(join(assets, "etcd"), [`--listen-client-urls=http://127.0.0.1:${etcdPort}`, `--data-dir=${folder}`]);
  const issuing = { clock: systemClock, random: systemRandom };
  const authority = createAuthority("test", issuing);
  const serving = issueServing(authority, ["127.0.0.1"], issuing);
  const admin = issueClient(authority, { commonName: "admin", organizations: ["system:masters"] }, issuing);
  for (const [name, text] of Object.entries({ "apiserver.crt": serving.cert, "apiserver.key": serving.key, "ca.crt": authority.cert })) {
    writeFileSync(join(folder, name), text);
  }
  const port = await freePort();
  const flags = [`--secure-port=${port}`, "--bind-address=127.0.0.1", `--cert-dir=${folder}`, `--client-ca-file=${join(folder, "ca.crt")}`];
  const server = spawn(join(assets, "kube-apiserver"), [...flags, `--etcd-servers=http://127.0.0.1:${etcdPort}`]);
  try {
    const ask = (path: string): Promise<number> => statusOf(`https://127.0.0.1:${port}${path}`, { ca: authority.cert, ...admin });
    await untilAnswered(() => ask("/healthz"));
    assert.equal(await ask("/api/v1/namespaces/default"), 200);
    assert.equal(await ask("/api/v1/namespaces/default/serviceaccounts/default"), 404, "there are no controllers");
    const health = await untilAnswered(async () => (await fetch(`http://127.0.0.1:${etcdPort}/health`)).status);
    assert.equal(health, 200);
  } finally {
    const ended = [server, etcd].map((program) => once(program, "exit"));
    for (const program of [server, etcd]) program.kill("SIGTERM");
    assert.deepEqual(await Promise.all(ended), [
      [0, null],
      [0, null],
    ]);
  }
}

function statusOf(url: string, options: { readonly ca: string; readonly cert: string; readonly key: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, options, (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on("error", reject);
  });
}

/** Tries again as long as no server listens. */
async function untilAnswered(ask: () => Promise<number>): Promise<number> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await systemClock.sleep(20);
    }
  }
}
