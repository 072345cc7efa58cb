import { fnv1a } from "@kaji/core";

const utf8 = new TextEncoder();

/**
 * The shard of an object, by its key, of so many shards. Replicas of different versions must agree on it for as long as they run side by side, so it never changes: FNV-1a of the UTF-8 bytes, finished as
 * MurmurHash3 is, since the low bits of FNV-1a alone are hardly mixed.
 */
export function shardOf(key: string, count: number): number {
  let hash = fnv1a(utf8.encode(key));
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return ((hash ^ (hash >>> 16)) >>> 0) % count;
}
