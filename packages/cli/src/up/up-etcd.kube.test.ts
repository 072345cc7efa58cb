import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startUp } from "../testing/running-up.ts";
import type { RunningUp } from "../testing/running-up.ts";

interface Etcd extends AsyncDisposable {
  readonly url: string;
  restart(meanwhile?: () => Promise<void>): Promise<void>;
}

const kubeTool: string = "@kaji-tools/kube";
const configMaps = "/api/v1/namespaces/default/configmaps";
const root = mkdtempSync(join(tmpdir(), "kaji-up-etcd-"));
let etcd: Etcd;

before(async () => {
  const { startEtcd } = (await import(kubeTool)) as { readonly startEtcd: () => Promise<Etcd> };
  etcd = await startEtcd();
});
after(async () => {
  await etcd[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

/** Starts `kaji up` on a prefix; the data folder is its own. */
function up(prefix: string, folder: string = prefix): Promise<RunningUp> {
  return startUp(["--data", join(root, folder), "--storage", "etcd", "--etcd-servers", etcd.url, "--etcd-prefix", `/${prefix}`]);
}

async function create(running: RunningUp, name: string): Promise<number> {
  return (await running.call("POST", configMaps, { metadata: { name } })).status;
}

async function names(running: RunningUp): Promise<readonly string[]> {
  const { items }: { readonly items: readonly { readonly metadata: { readonly name: string } }[] } = JSON.parse(
    (await running.call("GET", configMaps)).body,
  );
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

test("objects in etcd are there again after a restart, and after a kill", async () => {
  {
    await using first = await up("kept");
    assert.equal(await create(first, "a"), 201);
    assert.equal(await first.stop("SIGTERM"), 0);
  }
  {
    await using second = await up("kept");
    assert.deepEqual(await names(second), ["a"]);
    assert.equal(await create(second, "b"), 201);
    await second.stop("SIGKILL");
  }
  await using third = await up("kept");
  assert.deepEqual(await names(third), ["a", "b"]);
  assert.equal(await third.stop("SIGINT"), 0);
});

test("a prefix in use is named, with who uses it since when, and left alone", async () => {
  await using first = await up("held");
  const line = `kaji: etcd prefix /held is in use by another instance (pid ${first.pid} on ${hostname()} since `;
  await assert.rejects(up("held", "elsewhere"), (error: Error) => {
    assert.ok(error.message.startsWith(line), error.message);
    assert.match(error.message, /Z\); stop that one, or choose another with --etcd-prefix\n$/);
    return true;
  });
  assert.equal(await create(first, "a"), 201);
});

test("[DF1] a data folder in use is named on another prefix, too, and that prefix is free again", async () => {
  await using first = await up("folder");
  const folder = join(root, "folder");
  const line = `kaji: data folder ${folder} is in use by another instance (pid ${first.pid}); stop that one, or choose another with --data\n`;
  await assert.rejects(up("second", "folder"), (error: Error) => error.message === line);
  await using second = await up("second");
  assert.equal(await create(second, "a"), 201);
});

test("while etcd is gone reads go on and writes are refused; all is well when it is back", async () => {
  await using running = await up("gone");
  assert.equal(await create(running, "before"), 201);
  await etcd.restart(async () => {
    const refused = await running.call("POST", configMaps, { metadata: { name: "refused" } });
    assert.equal(refused.status, 500);
    const { reason, message }: Readonly<Record<string, string>> = JSON.parse(refused.body);
    assert.equal(reason, "InternalError");
    assert.equal(
      message,
      `Internal error occurred: the write could not be stored: ${etcd.url}: connect ECONNREFUSED ${etcd.url.replace("http://", "")}`,
    );
    assert.deepEqual(await names(running), ["before"]);
  });
  assert.equal(await create(running, "after"), 201);
  assert.deepEqual(await names(running), ["after", "before"]);
});
