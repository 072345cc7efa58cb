import type { Path } from "./storage.ts";

/** The keys from `start` up to but not including `end`. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

/** The keys a path means: all below it if it ends in `/`, else just this one. */
export function rangeOf(path: Path): KeyRange {
  // "0" is the character after "/".
  return path.endsWith("/") ? { start: path, end: `${path.slice(0, -1)}0` } : { start: path, end: successor(path) };
}

/** The least key greater than this one. */
export function successor(key: string): string {
  return `${key}\0`;
}

/** Whether a path means this key. */
export function covers(path: Path, key: string): boolean {
  return path.endsWith("/") ? key.startsWith(path) : key === path;
}

/** Every path that means this key: the key itself, and each of its folders. */
export function pathsOf(key: string): Path[] {
  const paths = [key];
  for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1)) paths.push(key.slice(0, slash + 1));
  return paths;
}

/** Refuses what cannot be a key: one that would read as a folder, or that would not come back from disk as it was. */
export function requireKey(key: string): void {
  if (key === "" || key.endsWith("/") || key.includes("\0") || !key.isWellFormed()) {
    throw new TypeError(`${JSON.stringify(key)} cannot be a storage key`);
  }
}

/** Whether a key comes before another. */
export type KeyOrder = (left: string, right: string) => boolean;

/** By UTF-16 units: the same order as `byUtf8` as long as neither key has a surrogate, and much faster. */
export function byUnits(left: string, right: string): boolean {
  return left < right;
}

/** By the bytes of the keys in UTF-8, which is the order of keys everywhere. */
export function byUtf8(left: string, right: string): boolean {
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
}

/** Whether the key has characters beyond U+FFFF, which UTF-16 sorts below U+E000 to U+FFFF. */
export function hasSurrogates(key: string): boolean {
  return /[\ud800-\udfff]/.test(key);
}
