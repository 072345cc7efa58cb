/**
 * Whether two JSON values are the same. A field that is undefined counts as absent; the order of fields does not matter.
 */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => jsonEqual(item, right[index]));
  }
  return sameFields(left, right);
}

function sameFields(left: object, right: object): boolean {
  const others = new Map<string, unknown>(Object.entries(right).filter(([, value]) => value !== undefined));
  let count = 0;
  for (const [name, value] of Object.entries(left)) {
    if (value === undefined) continue;
    if (!others.has(name) || !jsonEqual(value, others.get(name))) return false;
    count++;
  }
  return count === others.size;
}
