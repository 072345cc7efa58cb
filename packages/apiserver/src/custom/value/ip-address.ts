/** How leading zeros of a part of an IPv4 address are taken: as Go does now, or as it did before 1.17. */
export type LeadingZeros = "refused" | "ignored";

/** Whether a text is an IPv4 or IPv6 address, as Go's `net.ParseIP` reads them: without a zone or a port. */
export function isIpAddress(text: string, leadingZeros: LeadingZeros): boolean {
  return isIpv4(text, leadingZeros) || isIpv6(text, leadingZeros);
}

/** Whether a text is a network such as `10.0.0.0/8`; zeros in front do not matter, as ever on this server. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || !/^\d+$/.test(bits)) return false;
  if (isIpv4(address, "ignored")) return Number(bits) <= 32;
  return isIpv6(address, "ignored") && Number(bits) <= 128;
}

function isIpv4(text: string, leadingZeros: LeadingZeros): boolean {
  const parts = text.split(".");
  const pattern = leadingZeros === "ignored" ? /^\d+$/ : /^(?:0|[1-9]\d{0,2})$/;
  return parts.length === 4 && parts.every((part) => pattern.test(part) && Number(part) <= 255);
}

/** Eight groups of 16 bits, the last two of which may be an IPv4 address; `::` stands for one group of zeros at least. */
function isIpv6(text: string, leadingZeros: LeadingZeros): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const [head = "", tail] = halves;
  const counts = [groupsOf(head, tail === undefined, leadingZeros), tail === undefined ? 0 : groupsOf(tail, true, leadingZeros)];
  const [before, after] = counts;
  if (before === undefined || after === undefined) return false;
  return tail === undefined ? before === 8 : before + after <= 7;
}

/** How many groups a half of an address has; undefined when it is none. */
function groupsOf(half: string, isLast: boolean, leadingZeros: LeadingZeros): number | undefined {
  if (half === "") return 0;
  const parts = half.split(":");
  const last = parts.at(-1) ?? "";
  const endsInIpv4 = isLast && last.includes(".");
  if (endsInIpv4 && !isIpv4(last, leadingZeros)) return undefined;
  const groups = endsInIpv4 ? parts.slice(0, -1) : parts;
  const pattern = leadingZeros === "ignored" ? /^0*[\da-fA-F]{1,4}$/ : /^[\da-fA-F]{1,4}$/;
  return groups.every((group) => pattern.test(group)) ? groups.length + (endsInIpv4 ? 2 : 0) : undefined;
}
