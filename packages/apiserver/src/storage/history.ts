import { ByteArena } from "./byte-arena.ts";
import { HistoryShelf } from "./history-shelf.ts";
import { rangeOf, successor } from "./key-range.ts";
import { ShelvedVersion } from "./shelved-version.ts";
import { StorageError } from "./storage-error.ts";
import type { Entry, ListOptions, Page, Path } from "./storage.ts";
import { entryOf, isEntry } from "./version-entry.ts";
import { asOf } from "./version.ts";
import type { Version } from "./version.ts";
import { VersionTable } from "./version-table.ts";

/** What was superseded by one of so many last writes is likely to be read by watchers that are a little behind. */
const recentWrites = 256;

/** Everything that was written and not yet compacted away, in memory, readable as of any revision since the compaction. */
export class History {
  /** The versions of every key that can still be seen at some revision from `#compacted` on. */
  #table = new VersionTable();
  /** Every write after `#compacted`, in order: one for each revision up to `#current`. */
  #log: Version[] = [];
  readonly #arena = new ByteArena();
  /** Where the bytes are that were superseded before the last `recentWrites`. */
  readonly #shelf = new HistoryShelf();
  #compacted: number;
  #current: number;

  /** An empty history that begins at a revision. Revision 0 means «none», and 1 is that of the empty storage. */
  constructor(revision = 1) {
    this.#compacted = revision;
    this.#current = revision;
  }

  get current(): number {
    return this.#current;
  }

  get compacted(): number {
    return this.#compacted;
  }

  /** The newest version of a key, which may be a delete. */
  newest(key: string): Version | undefined {
    return this.#table.find(key);
  }

  get(key: string, atRevision: number = this.#current): Entry | undefined {
    this.#requireReadable(atRevision);
    return entryOf(asOf(this.#table.find(key), atRevision));
  }

  list(path: Path, { atRevision = this.#current, limit = Infinity, after }: ListOptions): Page {
    this.#requireReadable(atRevision);
    const range = rangeOf(path);
    const next = after === undefined ? range.start : successor(after);
    const rest = next > range.start ? { start: next, end: range.end } : range;
    return { ...this.#table.list(rest, atRevision, limit), revision: atRevision };
  }

  count(path: Path): number {
    return this.#table.count(rangeOf(path), this.#current);
  }

  /** The write of a revision after the compaction. */
  at(revision: number): Version | undefined {
    return this.#log[revision - this.#compacted - 1];
  }

  /** Takes over the version written by the next revision. Its bytes are copied. */
  append(version: Version): void {
    this.#keep(version);
    this.#add(version);
  }

  /**
   * Fills an empty history with versions in the order of their revisions: those up to the compaction that can still be seen,
   * and all after it. Returns the revisions of those that cannot be seen any more.
   */
  load(versions: Iterable<Version>): number[] {
    const forgotten: number[] = [];
    for (const version of versions) {
      this.#keep(version);
      this.#add(version, forgotten);
    }
    return forgotten;
  }

  /** An independent history with the same content. The bytes are shared. */
  fork(): History {
    const fork = new History(this.#compacted);
    const log: Version[] = Array.from(this.#log);
    const copyOne = (version: Version): Version => {
      const { key, modRevision } = version;
      const copy = version instanceof ShelvedVersion ? version.alone() : { key, modRevision, bytes: version.bytes, previous: undefined };
      if (modRevision > this.#compacted) log[modRevision - this.#compacted - 1] = copy;
      return copy;
    };
    const copyChain = (newest: Version): Version => {
      const first = copyOne(newest);
      for (let { previous } = newest, last = first; previous !== undefined; { previous } = previous) {
        last.previous = copyOne(previous);
        last = last.previous;
      }
      return first;
    };
    fork.#table = this.#table.fork(copyChain);
    fork.#log = log;
    fork.#current = this.#current;
    return fork;
  }

  /** Forgets what was superseded by a revision; returns the revisions of the writes that can no longer be seen. */
  compact(revision: number): number[] {
    if (revision > this.#current) throw new StorageError({ type: "FutureRevision", requested: revision, current: this.#current });
    const passed = Math.max(0, revision - this.#compacted);
    const forgotten: number[] = [];
    for (const version of this.#log.slice(0, passed)) this.#forgetBefore(version, forgotten);
    this.#log = this.#log.slice(passed);
    this.#compacted += passed;
    if (this.#arena.isSparse) this.#tidy();
    return forgotten;
  }

  #add(version: Version, forgotten: number[] = []): void {
    this.#table.add(version);
    if (version.modRevision <= this.#compacted) {
      this.#forgetBefore(version, forgotten);
    } else if (version.modRevision === this.#current + 1) {
      this.#log.push(version);
      this.#current = version.modRevision;
      this.#shelve(this.at(this.#current - recentWrites));
    } else {
      throw new Error(`revision ${version.modRevision} does not follow on revision ${this.#current}`);
    }
  }

  #keep(version: Version): void {
    if (version.bytes !== undefined) version.bytes = this.#arena.keep(version.bytes);
  }

  /** Whatever is older than the version goes, and the version itself if it is a delete that nothing followed. */
  #forgetBefore(version: Version, forgotten: number[]): void {
    const { previous } = version;
    version.previous = undefined;
    if (isEntry(previous)) {
      this.#release(previous);
      forgotten.push(previous.modRevision);
    }
    if (version.bytes === undefined) {
      forgotten.push(version.modRevision);
      if (this.#table.find(version.key) === version) this.#table.remove(version.key);
    }
  }

  #tidy(): void {
    for (const version of this.#table.versions()) {
      if (version instanceof ShelvedVersion) continue;
      if (version.bytes !== undefined) version.bytes = this.#arena.tidy(version.bytes);
    }
  }

  /** Puts what a write has superseded on the shelf. */
  #shelve(write: Version | undefined): void {
    const superseded = write?.previous;
    if (write === undefined || !isEntry(superseded) || superseded instanceof ShelvedVersion) return;
    const bytes = this.#shelf.put(superseded.bytes);
    if (bytes === undefined) return;
    const shelved = new ShelvedVersion(superseded, bytes);
    write.previous = shelved;
    if (shelved.modRevision > this.#compacted) this.#log[shelved.modRevision - this.#compacted - 1] = shelved;
    this.#release(superseded);
    if (this.#arena.isSparse) this.#tidy();
  }

  #release(version: Version & Entry): void {
    if (!(version instanceof ShelvedVersion)) this.#arena.release(version.bytes);
  }

  #requireReadable(revision: number): void {
    if (revision < this.#compacted) throw new StorageError({ type: "Compacted", requested: revision, oldest: this.#compacted });
    if (revision > this.#current) throw new StorageError({ type: "FutureRevision", requested: revision, current: this.#current });
  }
}
