/** Whether a resource version is known to be older than another. Nothing is known of versions that are not numbers. */
export function isOlder(version: string, than: string): boolean {
  if (!isDecimal(version) || !isDecimal(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

/** As KEP-5504 has it: digits without leading zeros. Every event is looked at, so that a regular expression would show. */
function isDecimal(version: string): boolean {
  for (let index = 0; index < version.length; index++) {
    const digit = version.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return false;
  }
  return version !== "" && (version.length === 1 || !version.startsWith("0"));
}
