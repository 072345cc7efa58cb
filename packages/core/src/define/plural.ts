/** The English plural of a kind, in lower case: `Policy` → `policies`, `Proxy` → `proxies`, `Bus` → `buses`, `Gateway` → `gateways`. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (/[^aeiou]y$/.test(singular)) return singular.replace(/y$/, "ies");
  return /(s|x|z|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`;
}
