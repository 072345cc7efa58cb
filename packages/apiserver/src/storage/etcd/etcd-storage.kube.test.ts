import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { systemClock, systemRandom } from "@kaji/core";
import { openPki } from "../../tls/pki.ts";
import { startRealEtcd } from "../../testing/real-etcd.ts";
import type { RealEtcd } from "../../testing/real-etcd.ts";
import { openEtcdStorage } from "../etcd-storage.ts";
import { storageContract } from "../storage-contract.test.ts";
import { isStorageFailure } from "../storage-error.ts";
import type { Storage } from "../storage.ts";
import type { StorageOptions } from "../versioned-storage.ts";
import { createEtcdStorage, takePrefix } from "./create-etcd-storage.ts";

let etcd: RealEtcd;
before(async () => {
  etcd = await startRealEtcd();
});
after(() => etcd[Symbol.asyncDispose]());
const prefixes = new WeakMap<Storage, string>();
let prefixCount = 0;

storageContract({
  open: (options) => open(`/contract/${prefixCount++}`, options),
  reopen: async (storage, options) => {
    await storage.close();
    return open(prefixes.get(storage) ?? "", options);
  },
  runs: 20,
});

/** The connection has a clock of its own, so that a test of the history counts no other timers. */
async function open(prefix: string, options: StorageOptions): Promise<Storage> {
  const storage = await createEtcdStorage(await takePrefix({ servers: [etcd.url], prefix }, { clock: systemClock }), options);
  prefixes.set(storage, prefix);
  return storage;
}

test("[STO35] [STO51] when etcd is killed and started again under writes, all that was acknowledged is there, and nothing else", async () => {
  // A write is given up after ten seconds, in which an etcd on a busy machine may not be back: here they last ten times as long.
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() / 10 };
  const options = { clock, historyMs: Infinity };
  const acknowledged = new Map<string, number>();
  let refused = 0;
  {
    await using storage = await openEtcdStorage({ servers: [etcd.url], prefix: "/killed" }, options);
    const over = new AbortController();
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; !over.signal.aborted; count++) {
        const key = `/r/${writer}/${count}`;
        const result = await storage.put(key, 0, (revision) => Buffer.from(`${key} ${revision}`)).catch(() => undefined);
        if (result?.type === "Stored") acknowledged.set(key, result.entry.modRevision);
        else refused++;
      }
    };
    const writers = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    for (let kill = 0; kill < 3; kill++) {
      const goal = acknowledged.size + 200;
      while (acknowledged.size < goal) await new Promise(setImmediate);
      await etcd.restart();
    }
    over.abort();
    await writers;
    assert.deepEqual(found(storage), acknowledged);
  }
  await using storage = await openEtcdStorage({ servers: [etcd.url], prefix: "/killed" }, options);
  assert.deepEqual(found(storage), acknowledged);
  assert.equal(storage.currentRevision, acknowledged.size + 1);
  assert.ok(acknowledged.size > 600);
  assert.equal(refused, 0, "a restart is waited for");
});

function found(storage: Storage): ReadonlyMap<string, number> {
  const { entries } = storage.list("/r/");
  for (const { key, modRevision, bytes } of entries) assert.equal(Buffer.from(bytes).toString(), `${key} ${modRevision}`);
  const inOrder = entries.toSorted((left, right) => left.modRevision - right.modRevision);
  return new Map(inOrder.map(({ key, modRevision }) => [key, modRevision]));
}

test("[STO52] a second instance is told who has the prefix, and the next may have it once the first is closed", async () => {
  const options = { clock: systemClock };
  {
    await using storage = await openEtcdStorage({ servers: [etcd.url], prefix: "/held" }, options);
    await storage.put("/r/a", 0, () => Buffer.from("1"));
    await assert.rejects(openEtcdStorage({ servers: [etcd.url], prefix: "/held" }, options), (error) => isStorageFailure(error, "Held"));
    await storage.put("/r/a", 2, () => Buffer.from("2"));
  }
  await using storage = await openEtcdStorage({ servers: [etcd.url], prefix: "/held" }, options);
  assert.equal(storage.get("/r/a")?.modRevision, 3);
});

test("[STO59] an etcd that asks its clients for certificates is used with one, and not without", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kaji-etcd-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  try {
    const { authority, serving, admin } = openPki(folder, { hosts: ["127.0.0.1"], clock: systemClock, random: systemRandom });
    const server = { cert: file("cert", serving.cert), key: file("key", serving.key), clientCa: file("ca", authority.cert) };
    const itself = { clientCert: file("client-cert", admin.cert), clientKey: file("client-key", admin.key) };
    await using guarded = await startRealEtcd({ tls: { ...server, ...itself } });
    const servers = [guarded.url];
    await using storage = await openEtcdStorage({ servers, tls: { ca: authority.cert, ...admin } }, { clock: systemClock });
    assert.equal((await storage.put("/r/a", 0, () => Buffer.from("1"))).type, "Stored");
    for (const [tls, reason] of [
      [{ ca: authority.cert }, /certificate required/],
      [admin, /unable to verify|self-signed/],
    ] as const) {
      await assert.rejects(openEtcdStorage({ servers, tls }, { clock: systemClock }), (error) => {
        assert.ok(isStorageFailure(error, "Unreachable"));
        assert.match(error.message, reason);
        return true;
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
