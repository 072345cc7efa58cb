import assert from "node:assert/strict";
import { hostname } from "node:os";
import { after, test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { passTime } from "../../testing/pass-time.ts";
import { ScriptedEtcd } from "../../testing/scripted-etcd.ts";
import type { Fate, ScriptedRequest } from "../../testing/scripted-etcd.ts";
import { storageContract } from "../storage-contract.test.ts";
import { isStorageFailure } from "../storage-error.ts";
import type { Storage } from "../storage.ts";
import type { StorageOptions } from "../versioned-storage.ts";
import { createEtcdStorage, takePrefix } from "./create-etcd-storage.ts";

const contractEtcd = await ScriptedEtcd.start();
after(() => contractEtcd[Symbol.asyncDispose]());
const prefixes = new WeakMap<Storage, string>();
let prefixCount = 0;

storageContract({
  open: (options) => openContract(`/contract/${prefixCount++}`, options),
  reopen: async (storage, options) => {
    await storage.close();
    return openContract(prefixes.get(storage) ?? "", options);
  },
  runs: 20,
});

async function openContract(prefix: string, options: StorageOptions): Promise<Storage> {
  const storage = await open(contractEtcd, { prefix, options });
  prefixes.set(storage, prefix);
  return storage;
}

test("[STO50] a write whose request or answer was lost is done once, and the writer hears so", async () => {
  for (const fate of ["LostRequest", "LostAnswer"] as const) {
    await using etcd = await ScriptedEtcd.start();
    const clock = new ManualClock();
    {
      await using storage = await open(etcd, { clock });
      etcd.fate = once(isTransaction, fate);
      assert.equal(await passTime(clock, create(storage, "/r/a")), 2);
      assert.equal(await create(storage, "/r/b"), 3);
    }
    await using storage = await open(etcd);
    assert.deepEqual(
      storage.list("/r/").entries.map(({ key, modRevision }) => `${key} ${modRevision}`),
      ["/r/a 2", "/r/b 3"],
    );
  }
});

test("[STO50] a request that arrives after it was given up changes nothing, not even when what it wrote has been compacted away", async () => {
  await using etcd = await ScriptedEtcd.start();
  const clock = new ManualClock();
  {
    await using storage = await open(etcd, { clock });
    etcd.fate = once(isTransaction, "Late");
    await passTime(clock, create(storage, "/r/a"));
    await storage.delete("/r/a", 2);
    storage.compact(3);
  }
  assert.deepEqual(etcd.keys("/kaji/log/"), []);
  etcd.arriveLate();
  assert.deepEqual(etcd.keys("/kaji/log/"), []);
  await using storage = await open(etcd);
  assert.deepEqual([storage.currentRevision, storage.get("/r/a")], [3, undefined]);
});

test("[STO51] while etcd cannot be reached writes fail, reads go on, and what was refused has left no trace when it is back", async () => {
  for (const fate of ["LostRequest", "LostAnswer"] as const) {
    await using etcd = await ScriptedEtcd.start();
    const clock = new ManualClock();
    {
      await using storage = await open(etcd, { clock });
      await create(storage, "/r/before");
      etcd.fate = once(isTransaction, fate, "LostRequest");
      const refused = await passTime(clock, Promise.allSettled([create(storage, "/r/a"), create(storage, "/r/b")]));
      for (const { status, reason } of refused as readonly PromiseRejectedResult[]) {
        assert.equal(status, "rejected");
        assert.match(String(reason), /^StorageError: the write could not be stored: http:\/\/127\.0\.0\.1:\d+: socket hang up$/);
        assert.ok(isStorageFailure(reason, "Unavailable"));
      }
      assert.deepEqual([storage.currentRevision, storage.count("/r/")], [2, 1]);
      etcd.fate = () => "Answered";
      assert.equal(await create(storage, "/r/after"), 3);
    }
    await using storage = await open(etcd);
    assert.deepEqual(
      storage.list("/r/").entries.map(({ key }) => key),
      ["/r/after", "/r/before"],
    );
  }
});

test("[STO51] what etcd refuses fails at once, with what it says", async () => {
  await using etcd = await ScriptedEtcd.start();
  await using storage = await open(etcd);
  etcd.fate = once(isTransaction, { code: 8, message: "etcdserver: mvcc: database space exceeded" });
  await assert.rejects(create(storage, "/r/a"), /the write could not be stored: etcdserver: mvcc: database space exceeded/);
  assert.equal(await create(storage, "/r/a"), 2);
});

test("[STO51] a server that cannot be reached, or does not answer in time, is given up and the next is asked", async () => {
  await using etcd = await ScriptedEtcd.start();
  const clock = new ManualClock();
  await using storage = await open(etcd, { clock, servers: [etcd.url, "http://127.0.0.1:1"] });
  etcd.fate = once(isTransaction, "Silent");
  assert.equal(await passTime(clock, create(storage, "/r/a")), 2);
  assert.ok(clock.monotonic() >= 5000);
});

test("[STO52] a second instance is told who has the prefix and since when, and changes nothing", async () => {
  await using etcd = await ScriptedEtcd.start();
  const clock = new ManualClock();
  await using _storage = await open(etcd, { clock });
  const before = etcd.keys("");
  await assert.rejects(passTime(clock, open(etcd, { clock })), (error: unknown) => {
    assert.ok(isStorageFailure(error, "Held"));
    const owner = `pid ${process.pid} on ${hostname()} since 2026-01-01T00:00:00.000Z`;
    assert.equal(error.message, `etcd prefix /kaji is in use by another instance (${owner})`);
    return true;
  });
  assert.deepEqual(etcd.keys(""), before);
  await using _other = await open(etcd, { prefix: "/other" });
});

test("[STO52] the prefix of an instance that gives no sign of life is taken when its lease has run out", async () => {
  await using etcd = await ScriptedEtcd.start();
  const killed = await open(etcd);
  await create(killed, "/r/a");
  const clock = new ManualClock();
  await using storage = await passTime(clock, open(etcd, { clock }));
  assert.equal(storage.currentRevision, 2);
  await assert.rejects(create(killed, "/r/b"), /another instance has taken etcd prefix/);
  await killed.close();
});

test("[STO53] an instance whose prefix was taken can write no more, says so once, and does not harm the one that took it", async () => {
  await using etcd = await ScriptedEtcd.start();
  const clock = new ManualClock();
  const losses: string[] = [];
  await using old = await open(etcd, { clock, onLost: (reason) => losses.push(reason) });
  await create(old, "/r/a");
  etcd.fate = once(isTransaction, "Late", "LostRequest");
  await assert.rejects(passTime(clock, create(old, "/r/late")), /the write could not be stored/);
  etcd.fate = () => "Answered";
  etcd.expireLeases();
  await using next = await open(etcd);
  etcd.arriveLate();
  for (const name of ["b", "c"])
    await assert.rejects(create(old, `/r/${name}`), /another instance has taken etcd prefix \/kaji \(pid \d+ on /);
  assert.equal(losses.length, 1);
  assert.equal(await create(next, "/r/d"), 3);
  assert.deepEqual(
    next.list("/r/").entries.map(({ key }) => key),
    ["/r/a", "/r/d"],
  );
});

test("[STO54] an instance whose lease ran out keeps a prefix that nobody took, and has a lease again", async () => {
  await using etcd = await ScriptedEtcd.start();
  const clock = new ManualClock();
  await using storage = await open(etcd, { clock });
  etcd.expireLeases();
  assert.deepEqual(etcd.keys("/kaji/"), ["term"]);
  assert.equal(await create(storage, "/r/a"), 2);
  await passTime(
    clock,
    until(() => etcd.keys("/kaji/").includes("owner")),
  );
  await assert.rejects(passTime(clock, open(etcd, { clock })), (error) => isStorageFailure(error, "Held"));
});

test("[STO55] many and large writes are cut into transactions that etcd takes, in order", async () => {
  await using etcd = await ScriptedEtcd.start();
  {
    await using storage = await open(etcd);
    const names = Array.from({ length: 300 }, (_, index) => `/r/${String(index).padStart(3, "0")}`);
    await Promise.all(names.map((name) => create(storage, name)));
    await storage.put("/r/large", 0, () => Buffer.alloc(3 * 2 ** 20, "large"));
    assert.ok(etcd.requests.every(({ changes }) => changes <= 128));
    assert.deepEqual(etcd.keys("/kaji/log/").slice(-5), [
      "0000000000000301",
      "0000000000000302",
      "0000000000000302.01",
      "0000000000000302.02",
      "0000000000000302.03",
    ]);
  }
  await using storage = await open(etcd);
  assert.deepEqual([storage.currentRevision, storage.count("/r/")], [302, 301]);
  assert.equal(Buffer.compare(storage.get("/r/large")?.bytes ?? Buffer.of(), Buffer.alloc(3 * 2 ** 20, "large")), 0);
});

test("[STO55] rows that are too many to be read in time are read in smaller parts", async () => {
  await using etcd = await ScriptedEtcd.start();
  {
    await using storage = await open(etcd);
    await Promise.all(Array.from({ length: 300 }, (_, index) => create(storage, `/r/${index}`)));
  }
  const held = await takePrefix({ servers: [etcd.url] }, { clock: new ManualClock() });
  etcd.fate = once(({ method, limit = 0 }) => method === "kv/range" && limit > 0, "LostAnswer", "LostRequest", "Answered");
  await using storage = await createEtcdStorage(held, { clock: new ManualClock() });
  assert.equal(storage.count("/r/"), 300);
  assert.deepEqual(etcd.requests.flatMap(({ limit = 0 }) => (limit > 1 ? limit : [])).slice(-7), [1000, 250, 63, 63, 63, 63, 63]);
});

test("[STO55] of a large write that was not finished nothing is left", async () => {
  await using etcd = await ScriptedEtcd.start();
  const clock = new ManualClock();
  {
    await using storage = await open(etcd, { clock });
    etcd.fate = once(isTransaction, "Answered", "LostRequest");
    await assert.rejects(
      passTime(
        clock,
        storage.put("/r/large", 0, () => Buffer.alloc(2 ** 21)),
      ),
    );
    etcd.fate = () => "Answered";
  }
  assert.deepEqual(etcd.keys("/kaji/log/"), ["0000000000000002.02"]);
  await using storage = await open(etcd);
  assert.equal(storage.currentRevision, 1);
  assert.equal(await create(storage, "/r/a"), 2);
  assert.deepEqual(etcd.keys("/kaji/log/"), ["0000000000000002"]);
});

test("[STO56] etcd is made to forget what it keeps of deleted rows, at most every five minutes", async () => {
  await using etcd = await ScriptedEtcd.start();
  const clock = new ManualClock();
  await using storage = await open(etcd, { clock });
  const compactions = (): number => etcd.requests.filter(({ method }) => method === "kv/compaction").length;
  for (let minute = 0; minute < 12; minute++) {
    const revision = await create(storage, `/r/${minute}`);
    await storage.delete(`/r/${minute}`, revision);
    storage.compact(storage.currentRevision);
    await until(() => etcd.keys("/kaji/log/").length === 0);
    await clock.advance(60_000);
  }
  await create(storage, "/r/last"); // Comes after the compaction of etcd, if there is one.
  assert.equal(compactions(), 2);
});

test("[STO57] an etcd that cannot be reached, or is none, is named with what was tried", async () => {
  await using etcd = await ScriptedEtcd.start();
  const servers = ["http://127.0.0.1:1", "http://127.0.0.1:2"];
  await assert.rejects(open(etcd, { servers }), (error: unknown) => {
    assert.ok(isStorageFailure(error, "Unreachable"));
    assert.equal(
      error.message,
      "etcd cannot be used: http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; http://127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2",
    );
    return true;
  });
  etcd.fate = () => ({ code: 7, message: "etcdserver: permission denied" });
  await assert.rejects(open(etcd), new RegExp(`^StorageError: etcd cannot be used: ${etcd.url}: etcdserver: permission denied$`));
});

test("[STO58] a prefix with keys of another program, or of a newer format, is refused and left as it is", async () => {
  await using etcd = await ScriptedEtcd.start();
  etcd.put("/theirs/pods/a", "x");
  etcd.put("/newer/term", "kaji 2 1");
  etcd.put("/broken/term", "kaji 1 1");
  etcd.put("/broken/log/0000000000000007", "/r/a\0x");
  etcd.put("/odd/term", "kaji 1 1");
  etcd.put("/odd/compacted", "x");
  await assert.rejects(
    open(etcd, { prefix: "/theirs" }),
    /^StorageError: etcd prefix \/theirs cannot be read: it has keys of another program$/,
  );
  await assert.rejects(
    open(etcd, { prefix: "/newer" }),
    /etcd prefix \/newer has format 2, newer than 1, the newest this version can read$/,
  );
  await assert.rejects(open(etcd, { prefix: "/broken" }), /etcd prefix \/broken cannot be read: revision 7 does not follow on revision 1$/);
  await assert.rejects(open(etcd, { prefix: "/odd" }), /etcd prefix \/odd cannot be read: \/odd\/compacted is no revision: 'x'$/);
  assert.deepEqual(etcd.keys("/theirs/"), ["pods/a"]);
  assert.deepEqual(etcd.keys("/newer/"), ["term"]);
  assert.deepEqual(etcd.keys("/broken/"), ["log/0000000000000007", "term"]);
});

interface OpenOptions {
  readonly prefix?: string;
  readonly servers?: readonly string[];
  readonly clock?: ManualClock;
  readonly options?: StorageOptions;
  readonly onLost?: (reason: string) => void;
}

/** A storage on a scripted etcd. The clock is that of the connection; the history's is another, so that a test counts only its timers. */
async function open(
  etcd: ScriptedEtcd,
  { servers = [etcd.url], clock = new ManualClock(), options, ...rest }: OpenOptions = {},
): Promise<Storage> {
  return createEtcdStorage(await takePrefix({ servers, ...rest }, { clock }), options ?? { clock: new ManualClock() });
}

async function create(storage: Storage, key: string): Promise<number> {
  const result = await storage.put(key, 0, () => Buffer.from(key));
  assert.equal(result.type, "Stored");
  return result.type === "Stored" ? result.entry.modRevision : 0;
}

function isTransaction({ method }: ScriptedRequest): boolean {
  return method === "kv/txn";
}

/** The first requests that match have one fate each; the last fate, if there are several, is that of all requests from then on. */
function once(matches: (request: ScriptedRequest) => boolean, first: Fate, ...rest: readonly Fate[]): (request: ScriptedRequest) => Fate {
  const fates = [first, ...rest];
  return (request) => {
    if (fates.length === 0) return "Answered";
    if (rest.length > 0 && fates.length === 1) return fates[0] ?? "Answered";
    return matches(request) ? (fates.shift() ?? "Answered") : "Answered";
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}
