/** The English plural of a noun: `policy` → `policies`, `proxy` → `proxies`, `bus` → `buses`, `Gateway` → `Gateways`. */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, "ies");
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
