/** The 32-bit FNV-1a hash of bytes. */
export function fnv1a(bytes: Iterable<number>): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash >>> 0;
}

const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** A hash as text that can stand in a name: no vowels, so that no word comes out, and nothing that looks like something else. */
export function safeHash(hash: number): string {
  return Array.from(String(hash), (digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join("");
}
