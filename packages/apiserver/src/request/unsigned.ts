import { quote } from "@kaji/core/go";

const largest = 2n ** 64n - 1n;

/** What Go says of a text that should be an unsigned integer of 64 bits; undefined when it is one. */
export function unsignedProblem(text: string): string | undefined {
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${quote(text)}: invalid syntax`;
  return text.length > 19 && BigInt(text) > largest ? `strconv.ParseUint: parsing ${quote(text)}: value out of range` : undefined;
}
