import { errorMessage } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { StorageError } from "../storage-error.ts";
import type { Change, EtcdClient } from "./etcd-client.ts";
import { EtcdError, isUnknown } from "./etcd-error.ts";

/** How long after its last sign of life a prefix is its owner's, unless it is released. */
const leaseSeconds = 10;
/** How often an owner gives a sign of life, and how often others look for one. */
const renewalMs = 2000;
const lookMs = 500;
/** The newest layout of the keys that is understood. */
const supportedFormat = 1;

/** Which prefix to take, and for whom. */
export interface PrefixClaim {
  /** Without a slash at its end. */
  readonly prefix: string;
  /** Who takes it, as others are told. */
  readonly owner: string;
  readonly clock: Clock;
  /** Is told, once, which other instance has taken the prefix. */
  readonly onLost?: ((reason: string) => void) | undefined;
}

/**
 * The keys of an etcd below a prefix, written by this process alone.
 *
 * Two keys see to that. `owner` lives as long as a lease, and while it is there nobody else takes the prefix. `term` is written by everybody
 * who takes it, and every change is made on the condition that it has not been written since: whoever has lost the prefix changes nothing
 * any more, however late a request of theirs arrives. A lease that has run out is therefore no harm as long as nobody took the prefix.
 */
export class EtcdPrefix {
  readonly client: EtcdClient;
  readonly prefix: string;
  readonly clock: Clock;
  readonly #claim: PrefixClaim;
  readonly #ownerKey: string;
  readonly #termKey: string;
  /** What `term` says as long as the prefix is ours. */
  readonly #mark: Buffer;
  /** The revision of etcd that wrote `term` last. */
  #term: number;
  #lease: string;
  #lost: StorageError | undefined;
  #renewal: Disposable | undefined;

  /** Takes a prefix, or fails and changes nothing. That of an owner who was killed is free when the lease has run out. */
  static async take(client: EtcdClient, claim: PrefixClaim): Promise<EtcdPrefix> {
    const { prefix } = claim;
    const [ownerKey, termKey] = [`${prefix}/owner`, `${prefix}/term`];
    await untilFree(client, ownerKey, claim);
    const term = await client.get(termKey);
    if (term !== undefined) requireFormat(prefix, term.value.toString());
    else if ((await client.range(`${prefix}/`, `${prefix}0`, 1)).entries.length > 0) throw foreign(prefix);

    const lease = await client.grantLease(leaseSeconds);
    const mark = Buffer.from(`kaji ${supportedFormat} ${lease}`);
    try {
      const isFree = [
        { key: ownerKey, modRevision: 0 },
        { key: termKey, modRevision: term?.modRevision ?? 0 },
      ];
      const taken = await client.transact(isFree, [
        { type: "Put", key: ownerKey, value: Buffer.from(claim.owner), lease },
        { type: "Put", key: termKey, value: mark },
      ]);
      if (taken !== undefined) return new EtcdPrefix(client, claim, { mark, term: taken, lease });
      const winner = await client.get(ownerKey);
      throw new StorageError({ type: "Held", prefix, owner: winner?.value.toString() ?? "unknown" });
    } catch (error) {
      await client.revokeLease(lease).catch(() => {}); // It ends by itself, too.
      throw error;
    }
  }

  private constructor(
    client: EtcdClient,
    claim: PrefixClaim,
    first: { readonly mark: Buffer; readonly term: number; readonly lease: string },
  ) {
    this.client = client;
    this.prefix = claim.prefix;
    this.clock = claim.clock;
    this.#claim = claim;
    this.#ownerKey = `${claim.prefix}/owner`;
    this.#termKey = `${claim.prefix}/term`;
    this.#mark = first.mark;
    this.#term = first.term;
    this.#lease = first.lease;
    this.#renewLater();
  }

  /**
   * Makes all changes or none, and returns the revision of etcd that made them. If it fails with `Unknown`, they may be made yet, until a
   * new term has begun.
   */
  async change(changes: readonly Change[]): Promise<number> {
    if (this.#lost !== undefined) throw this.#lost;
    const revision = await this.client.transact([{ key: this.#termKey, modRevision: this.#term }], changes);
    if (revision !== undefined) return revision;
    await this.#findTerm();
    throw new EtcdError("Unknown", `the term of ${this.prefix} has changed`);
  }

  /** Begins a new term together with changes: whatever is still on its way from the term before will not be done. */
  async beginTerm(changes: readonly Change[]): Promise<void> {
    // If this was tried before, it may have been done, and may be done yet: only one that finds the term as it is now can be.
    const modRevision = await this.#findTerm();
    const term: Change = { type: "Put", key: this.#termKey, value: this.#mark };
    const revision = await this.client.transact([{ key: this.#termKey, modRevision }], [term, ...changes]);
    if (revision === undefined) throw new EtcdError("Unknown", `the term of ${this.prefix} has changed`);
    this.#term = revision;
  }

  /** Leaves the prefix to others. */
  async release(): Promise<void> {
    this.#renewal?.[Symbol.dispose]();
    this.#renewal = undefined;
    await this.client.revokeLease(this.#lease).catch(() => {}); // It ends by itself, too.
    this.client[Symbol.dispose]();
  }

  #renewLater(): void {
    this.#renewal = this.clock.timer(renewalMs, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const renewal = this.#renewal;
    try {
      if (!(await this.client.renewLease(this.#lease))) await this.#reclaim();
    } catch {
      // Tried again soon. Until then the prefix is ours unless another takes it, which the next change finds out.
    }
    const isReleased = this.#renewal !== renewal;
    if (!isReleased && this.#lost === undefined) this.#renewLater();
  }

  /** The lease has run out. As long as nobody has taken the prefix, it goes on being ours. */
  async #reclaim(): Promise<void> {
    const modRevision = await this.#findTerm();
    const lease = await this.client.grantLease(leaseSeconds);
    const isOurs = [
      { key: this.#ownerKey, modRevision: 0 },
      { key: this.#termKey, modRevision },
    ];
    const owner: Change = { type: "Put", key: this.#ownerKey, value: Buffer.from(this.#claim.owner), lease };
    if ((await this.client.transact(isOurs, [owner])) !== undefined) this.#lease = lease;
  }

  /** The revision of etcd that wrote `term` last. Fails for good if that was somebody else. */
  async #findTerm(): Promise<number> {
    if (this.#lost !== undefined) throw this.#lost;
    const term = await this.client.get(this.#termKey);
    if (term?.value.equals(this.#mark) === true) return term.modRevision;
    const owner = await this.client.get(this.#ownerKey);
    const detail = `another instance has taken etcd prefix ${this.prefix} (${owner?.value.toString() ?? "and left it"})`;
    this.#lost = new StorageError({ type: "Unavailable", detail });
    this.#claim.onLost?.(detail);
    throw this.#lost;
  }
}

/** Waits until a prefix has no owner. Fails as soon as the owner has renewed the lease, and so is alive. */
async function untilFree(client: EtcdClient, ownerKey: string, { prefix, clock }: PrefixClaim): Promise<void> {
  let before = Infinity;
  for (let owner; (owner = await client.get(ownerKey)) !== undefined; await clock.sleep(lookMs)) {
    const secondsLeft = await client.leaseSecondsLeft(owner.lease);
    // One without a lease would be there for ever.
    if (secondsLeft > before || before < 0) throw new StorageError({ type: "Held", prefix, owner: owner.value.toString() });
    before = secondsLeft;
  }
}

/** What went wrong with an etcd while a storage was opened on it. */
export function openFailure({ servers }: EtcdClient, prefix: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const detail = errorMessage(error);
  if (!(error instanceof EtcdError)) return new StorageError({ type: "Unreadable", file: nameOf(prefix), detail }, { cause: error });
  // Where it is unknown what came of a request, the message has the server already.
  const where = isUnknown(error) ? detail : `${servers.join(", ")}: ${detail}`;
  return new StorageError({ type: "Unreachable", detail: where }, { cause: error });
}

function requireFormat(prefix: string, term: string): void {
  const [, format] = /^kaji (\d+) \d+$/.exec(term) ?? [];
  if (format === undefined) throw foreign(prefix);
  if (Number(format) <= supportedFormat) return;
  throw new StorageError({ type: "NewerFormat", file: nameOf(prefix), format: Number(format), supported: supportedFormat });
}

function foreign(prefix: string): StorageError {
  return new StorageError({ type: "Unreadable", file: nameOf(prefix), detail: "it has keys of another program" });
}

function nameOf(prefix: string): string {
  return `etcd prefix ${prefix}`;
}
