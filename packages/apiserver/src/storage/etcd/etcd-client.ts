import type { EtcdGateway } from "./etcd-gateway.ts";

/** What is under a key of an etcd. */
export interface KeyValue {
  readonly key: string;
  readonly value: Buffer;
  /** The revision of etcd that wrote it. */
  readonly modRevision: number;
  /** The lease that the key goes with; `0` for none. */
  readonly lease: string;
}

/** A change that is part of a transaction. */
export type Change =
  | { readonly type: "Put"; readonly key: string; readonly value: Uint8Array; readonly lease?: string }
  /** Deletes the keys from one up to, but not including, another. */
  | { readonly type: "Delete"; readonly from: string; readonly to: string };

/** That a key was written last by this revision of etcd; 0 that there is none. */
export interface Condition {
  readonly key: string;
  readonly modRevision: number;
}

/** A part of a range of keys. */
export interface RangePage {
  readonly entries: readonly KeyValue[];
  readonly hasMore: boolean;
}

/** What kaji asks of an etcd. Revisions are etcd's own, of which it has one sequence for all its keys. */
export class EtcdClient implements Disposable {
  readonly #gateway: EtcdGateway;

  constructor(gateway: EtcdGateway) {
    this.#gateway = gateway;
  }

  /** The URLs of its servers. */
  get servers(): readonly string[] {
    return this.#gateway.servers;
  }

  [Symbol.dispose](): void {
    this.#gateway[Symbol.dispose]();
  }

  async get(key: string): Promise<KeyValue | undefined> {
    const { kvs = [] } = (await this.#gateway.call("kv/range", { key: base64(key) })) as RangeAnswer;
    return kvs.map(keyValueOf)[0];
  }

  /** The keys from one up to, but not including, another, in order. */
  async range(from: string, to: string, limit: number): Promise<RangePage> {
    const request = { key: base64(from), range_end: base64(to), limit };
    const { kvs = [], more = false } = (await this.#gateway.call("kv/range", request)) as RangeAnswer;
    return { entries: kvs.map(keyValueOf), hasMore: more };
  }

  /** Makes all changes at once if all conditions hold, else none. Returns the revision that made them; undefined if there is none. */
  async transact(conditions: readonly Condition[], changes: readonly Change[]): Promise<number | undefined> {
    const compare = conditions.map(({ key, modRevision }) => ({
      key: base64(key),
      target: "MOD",
      result: "EQUAL",
      mod_revision: String(modRevision),
    }));
    const answer = (await this.#gateway.call("kv/txn", { compare, success: changes.map(operationOf) })) as TransactionAnswer;
    return answer.succeeded === true ? Number(answer.header.revision) : undefined;
  }

  /** A new lease, which ends unless it is renewed in time. Ids are 64 bits long. */
  async grantLease(seconds: number): Promise<string> {
    const { ID } = (await this.#gateway.call("lease/grant", { TTL: String(seconds) })) as { readonly ID: string };
    return ID;
  }

  /** Renews a lease; returns whether it was still there. */
  async renewLease(lease: string): Promise<boolean> {
    const { result } = (await this.#gateway.call("lease/keepalive", { ID: lease })) as { readonly result: { readonly TTL?: string } };
    return Number(result.TTL ?? 0) > 0;
  }

  /** How many seconds a lease lasts unless it is renewed; less than 0 if it is gone. */
  async leaseSecondsLeft(lease: string): Promise<number> {
    const { TTL } = (await this.#gateway.call("lease/timetolive", { ID: lease })) as { readonly TTL?: string };
    return Number(TTL ?? 0);
  }

  /** Ends a lease; the keys it holds go with it. */
  async revokeLease(lease: string): Promise<void> {
    await this.#gateway.call("lease/revoke", { ID: lease });
  }

  /** Lets etcd forget what was superseded or deleted before a revision. */
  async compact(revision: number): Promise<void> {
    await this.#gateway.call("kv/compaction", { revision: String(revision) });
  }
}

interface RangeAnswer {
  readonly kvs?: readonly { readonly key: string; readonly value?: string; readonly mod_revision: string; readonly lease?: string }[];
  readonly more?: boolean;
}

interface TransactionAnswer {
  readonly header: { readonly revision: string };
  readonly succeeded?: boolean;
}

function keyValueOf({ key, value = "", mod_revision, lease = "0" }: NonNullable<RangeAnswer["kvs"]>[number]): KeyValue {
  return { key: Buffer.from(key, "base64").toString(), value: Buffer.from(value, "base64"), modRevision: Number(mod_revision), lease };
}

function operationOf(change: Change): object {
  switch (change.type) {
    case "Put":
      return { request_put: { key: base64(change.key), value: base64(change.value), lease: change.lease } };
    case "Delete":
      return { request_delete_range: { key: base64(change.from), range_end: base64(change.to) } };
    default:
      return change satisfies never;
  }
}

function base64(value: string | Uint8Array): string {
  const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return bytes.toString("base64");
}
