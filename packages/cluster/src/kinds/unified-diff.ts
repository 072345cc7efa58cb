/** Equal lines on both sides. */
interface Match {
  readonly left: number;
  readonly right: number;
  readonly size: number;
}

/** A stretch that is equal, or that differs, on both sides. */
interface Stretch {
  readonly equal: boolean;
  readonly left: readonly [from: number, to: number];
  readonly right: readonly [from: number, to: number];
}

const contextLines = 3;

/** The lines in which two texts differ, with three lines around them, as the API server shows what an update may not change. */
export function unifiedDiff(before: string, after: string): string {
  const [left, right] = [before.split("\n"), after.split("\n")];
  return hunks(stretches(left, right))
    .map((hunk) => formatHunk(hunk, left, right))
    .join("");
}

function formatHunk(hunk: readonly Stretch[], left: readonly string[], right: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (first === undefined || last === undefined) return "";
  const head = `@@ -${range(first.left[0], last.left[1])} +${range(first.right[0], last.right[1])} @@\n`;
  const lines = hunk.flatMap(({ equal, left: [from, to], right: [start, end] }) => {
    const old = left.slice(from, to);
    return equal
      ? old.map((line) => ` ${line}\n`)
      : [...old.map((line) => `-${line}\n`), ...right.slice(start, end).map((line) => `+${line}\n`)];
  });
  return head + lines.join("");
}

/** Lines count from one; an empty range is named by the line before it. */
function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

/** Groups changes that are near each other, and cuts away what is equal and far from any. */
function hunks(all: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const groups: Stretch[][] = [[]];
  for (const [index, stretch] of all.entries()) {
    const { equal, left, right } = stretch;
    const length = left[1] - left[0];
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    if (!equal || (!isFirst && !isLast && length <= contextLines * 2)) {
      groups.at(-1)?.push(stretch);
      continue;
    }
    const kept = Math.min(contextLines, length);
    if (!isFirst) groups.at(-1)?.push({ equal, left: [left[0], left[0] + kept], right: [right[0], right[0] + kept] });
    if (!isFirst && !isLast) groups.push([]);
    if (!isLast) groups.at(-1)?.push({ equal, left: [left[1] - kept, left[1]], right: [right[1] - kept, right[1]] });
  }
  return groups.filter((group) => group.some(({ equal }) => !equal));
}

function stretches(left: readonly string[], right: readonly string[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let [at, other] = [0, 0];
  for (const { left: i, right: j, size } of [...matches(left, right), { left: left.length, right: right.length, size: 0 }]) {
    if (at < i || other < j) found.push({ equal: false, left: [at, i], right: [other, j] });
    if (size > 0) found.push({ equal: true, left: [i, i + size], right: [j, j + size] });
    [at, other] = [i + size, j + size];
  }
  return found;
}

/** Texts from this length on have lines that are too common to begin a match with. */
const longText = 200;

/** Ratcliff and Obershelp: the longest match, then the same on both sides of it. */
function matches(left: readonly string[], right: readonly string[]): readonly Match[] {
  const positions = Map.groupBy(right.keys(), (index) => right[index] ?? "");
  const common = right.length >= longText ? Math.trunc(right.length / 100) + 1 : Infinity;
  for (const [line, where] of positions) if (where.length > common) positions.delete(line);

  const within = (leftFrom: number, leftTo: number, rightFrom: number, rightTo: number): readonly Match[] => {
    const match = longest(left, right, positions, [leftFrom, leftTo, rightFrom, rightTo]);
    if (match.size === 0) return [];
    const [leftEnd, rightEnd] = [match.left + match.size, match.right + match.size];
    return [...within(leftFrom, match.left, rightFrom, match.right), match, ...within(leftEnd, leftTo, rightEnd, rightTo)];
  };
  return joined(within(0, left.length, 0, right.length));
}

function longest(
  left: readonly string[],
  right: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
  [leftFrom, leftTo, rightFrom, rightTo]: readonly [number, number, number, number],
): Match {
  let [i, j, size] = [leftFrom, rightFrom, 0];
  /** Lengths of matches that end with the line before, by where they end on the right. */
  let lengths = new Map<number, number>();
  for (let at = leftFrom; at < leftTo; at++) {
    const next = new Map<number, number>();
    for (const other of positions.get(left[at] ?? "") ?? []) {
      if (other < rightFrom || other >= rightTo) continue;
      const length = (lengths.get(other - 1) ?? 0) + 1;
      next.set(other, length);
      if (length > size) [i, j, size] = [at - length + 1, other - length + 1, length];
    }
    lengths = next;
  }
  for (; i > leftFrom && j > rightFrom && left[i - 1] === right[j - 1]; size++) [i, j] = [i - 1, j - 1];
  while (i + size < leftTo && j + size < rightTo && left[i + size] === right[j + size]) size++;
  return { left: i, right: j, size };
}

/** Makes one match of those that follow each other without a gap. */
function joined(all: readonly Match[]): readonly Match[] {
  const result: Match[] = [];
  for (const match of all) {
    const last = result.at(-1);
    const isAdjacent = last !== undefined && last.left + last.size === match.left && last.right + last.size === match.right;
    if (isAdjacent) result[result.length - 1] = { ...last, size: last.size + match.size };
    else result.push(match);
  }
  return result;
}
