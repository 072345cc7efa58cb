import type { ControllerRevision } from "@kaji/types/apps/v1";
import { safeHash } from "../safe-hash.ts";

/** What tells the data of a revision, with its fields sorted, from others in its name, as Kubernetes computes it: from the JSON that Go writes. */
export function revisionHash(data: ControllerRevision["data"], collisionCount: number): string {
  return safeHash(fnv1(new TextEncoder().encode(goJson(data) + String(collisionCount))));
}

/** JSON without the characters that mean something in HTML. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The 32-bit FNV-1 hash of bytes. */
function fnv1(bytes: Iterable<number>): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of bytes) hash = Math.imul(hash, 0x01_00_01_93) ^ byte;
  return hash >>> 0;
}
