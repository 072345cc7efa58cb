const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** A hash as text that can stand in a name: no vowels, so that no word comes out, and nothing that looks like something else. */
export function safeHash(hash: number): string {
  return Array.from(String(hash), (digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join("");
}
