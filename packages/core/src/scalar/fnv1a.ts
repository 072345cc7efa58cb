/** The 32-bit FNV-1a hash of bytes. */
export function fnv1a(bytes: Iterable<number>): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash >>> 0;
}
