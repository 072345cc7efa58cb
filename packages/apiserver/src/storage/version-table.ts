import { byUnits, byUtf8, hasSurrogates } from "./key-range.ts";
import type { KeyOrder, KeyRange } from "./key-range.ts";
import type { Entry } from "./storage.ts";
import { isEntry } from "./version-entry.ts";
import { asOf } from "./version.ts";
import type { Version } from "./version.ts";

/** Few enough that an insertion moves little, many enough that the list of chunks stays short with a million keys. */
const chunkLimit = 512;

/** A run of neighbouring keys. */
interface Chunk {
  /** The newest version of each key, in the order of keys. Never empty. */
  readonly versions: Version[];
  /** How many of the versions are entries. */
  live: number;
  /** No version in the chunk is newer than this. */
  newest: number;
}

/** Where a key is, or would be inserted. `index` may be one past the end of its chunk. */
interface Position {
  readonly chunk: number;
  readonly index: number;
}

/** The newest version of each key, in the bytewise order of keys, with the chain of those before it. */
export class VersionTable {
  /** In the order of keys; no two overlap. */
  readonly #chunks: Chunk[] = [];
  #isBefore: KeyOrder = byUnits;

  /** An independent table with a copy of each chain, given its newest version. */
  fork(copy: (newest: Version) => Version): VersionTable {
    const table = new VersionTable();
    table.#isBefore = this.#isBefore;
    for (const { versions, live, newest } of this.#chunks) table.#chunks.push({ versions: versions.map(copy), live, newest });
    return table;
  }

  /** The newest version of a key. */
  find(key: string): Version | undefined {
    const { chunk, index } = this.#locate(key);
    const found = this.#chunks[chunk]?.versions[index];
    return found?.key === key ? found : undefined;
  }

  /** Puts a version, newer than any other, at the head of its key's chain. */
  add(version: Version): void {
    const position = this.#locate(version.key);
    const chunk = this.#chunks[position.chunk];
    const found = chunk?.versions[position.index];
    if (chunk === undefined) {
      this.#chunks.push(chunkOf([version]));
    } else if (found?.key === version.key) {
      version.previous = found;
      chunk.versions[position.index] = version;
      chunk.live += Number(isEntry(version)) - Number(isEntry(found));
      chunk.newest = version.modRevision;
    } else {
      this.#insert(position, chunk, version);
    }
  }

  /** Takes a key out with all its versions. */
  remove(key: string): void {
    const position = this.#locate(key);
    const chunk = this.#chunks[position.chunk];
    const found = chunk?.versions[position.index];
    if (chunk === undefined || found?.key !== key) return;
    chunk.live -= Number(isEntry(found));
    chunk.versions.splice(position.index, 1);
    if (chunk.versions.length === 0) this.#chunks.splice(position.chunk, 1);
  }

  /** The entries of a range as of a revision, up to a limit, and how many more there are. */
  list({ start, end }: KeyRange, atRevision: number, limit: number): { readonly entries: readonly Entry[]; readonly remaining: number } {
    const entries: Entry[] = [];
    const from = this.#locate(start);
    const to = this.#locate(end);
    for (let at = from.chunk; at <= to.chunk; at++) {
      const versions = this.#chunks[at]?.versions ?? [];
      const stop = at === to.chunk ? to.index : versions.length;
      for (let index = at === from.chunk ? from.index : 0; index < stop; index++) {
        if (entries.length === limit) return { entries, remaining: this.#count({ chunk: at, index }, to, atRevision) };
        const version = asOf(versions[index], atRevision);
        if (isEntry(version)) entries.push(version);
      }
    }
    return { entries, remaining: 0 };
  }

  /** How many entries a range had as of a revision. */
  count({ start, end }: KeyRange, atRevision: number): number {
    return this.#count(this.#locate(start), this.#locate(end), atRevision);
  }

  /** Every version of every key. Those of one key come newest first. */
  *versions(): Generator<Version> {
    for (const chunk of this.#chunks) {
      for (const newest of chunk.versions) {
        for (let version: Version | undefined = newest; version !== undefined; version = version.previous) yield version;
      }
    }
  }

  #count(from: Position, to: Position, atRevision: number): number {
    let count = 0;
    for (let at = from.chunk; at <= to.chunk; at++) {
      const chunk = this.#chunks[at];
      if (chunk === undefined) break;
      const start = at === from.chunk ? from.index : 0;
      const stop = at === to.chunk ? to.index : chunk.versions.length;
      const isWhole = start === 0 && stop === chunk.versions.length;
      count += isWhole && chunk.newest <= atRevision ? chunk.live : countEntries(chunk.versions, start, stop, atRevision);
    }
    return count;
  }

  #insert({ chunk: at, index }: Position, chunk: Chunk, version: Version): void {
    const isLast = at === this.#chunks.length - 1 && index === chunk.versions.length;
    if (chunk.versions.length < chunkLimit) {
      chunk.versions.splice(index, 0, version);
      chunk.live += Number(isEntry(version));
      chunk.newest = version.modRevision;
    } else if (isLast) {
      // Keys often come in ascending order: full chunks then stay full.
      this.#chunks.push(chunkOf([version]));
    } else {
      const versions = chunk.versions.toSpliced(index, 0, version);
      const middle = versions.length >> 1;
      this.#chunks.splice(at, 1, chunkOf(versions.slice(0, middle)), chunkOf(versions.slice(middle)));
    }
  }

  /** The first position whose key is not less than the given one. */
  #locate(key: string): Position {
    // Keys without surrogates have the same order either way, so what is here needs no sorting anew.
    if (this.#isBefore === byUnits && hasSurrogates(key)) this.#isBefore = byUtf8;
    const isBefore = this.#isBefore;
    const after = firstIndex(this.#chunks.length, (at) => isBefore(key, this.#chunks[at]?.versions[0]?.key ?? ""));
    const chunk = Math.max(0, after - 1);
    const versions = this.#chunks[chunk]?.versions ?? [];
    return { chunk, index: firstIndex(versions.length, (index) => !isBefore(versions[index]?.key ?? "", key)) };
  }
}

/** The least index below the length for which the test holds, given that it then holds for all greater ones; else the length. */
function firstIndex(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function chunkOf(versions: Version[]): Chunk {
  const live = countEntries(versions, 0, versions.length, Infinity);
  return { versions, live, newest: versions.reduce((newest, { modRevision }) => Math.max(newest, modRevision), 0) };
}

function countEntries(versions: readonly Version[], start: number, stop: number, atRevision: number): number {
  let count = 0;
  for (let index = start; index < stop; index++) count += Number(isEntry(asOf(versions[index], atRevision)));
  return count;
}
