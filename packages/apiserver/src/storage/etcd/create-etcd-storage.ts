import { hostname } from "node:os";
import { History } from "../history.ts";
import type { EtcdOptions } from "../etcd-storage.ts";
import type { Storage } from "../storage.ts";
import { VersionedStorage } from "../versioned-storage.ts";
import type { StorageOptions } from "../versioned-storage.ts";
import { EtcdClient } from "./etcd-client.ts";
import { EtcdGateway } from "./etcd-gateway.ts";
import { EtcdJournal } from "./etcd-journal.ts";
import { EtcdPrefix, openFailure } from "./etcd-prefix.ts";

/** Takes a prefix of an etcd for this process, or fails and changes nothing. */
export async function takePrefix({ servers, tls, prefix = "/kaji", onLost }: EtcdOptions, { clock }: StorageOptions): Promise<EtcdPrefix> {
  const client = new EtcdClient(new EtcdGateway({ servers, tls, clock }));
  const owner = `pid ${process.pid} on ${hostname()} since ${new Date(clock.now()).toISOString()}`;
  try {
    return await EtcdPrefix.take(client, { prefix, owner, clock, onLost });
  } catch (error) {
    client[Symbol.dispose]();
    throw openFailure(client, prefix, error);
  }
}

/** A storage on a prefix of an etcd, which is released along with it. */
export async function createEtcdStorage(held: EtcdPrefix, options: StorageOptions): Promise<Storage> {
  const journal = new EtcdJournal(held);
  try {
    const history = new History(await journal.loadCompacted());
    const forgotten: number[] = [];
    for await (const versions of journal.versions()) forgotten.push(...history.load(versions));
    if (forgotten.length > 0) journal.forget(forgotten, history.compacted);
    return new VersionedStorage(history, options, journal);
  } catch (error) {
    await held.release();
    throw openFailure(held.client, held.prefix, error);
  }
}
