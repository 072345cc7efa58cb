/** The indexes of an Indexed job in a text such as `1,3-5,7`. */
export type IndexRanges =
  | { readonly type: "Ranges"; readonly ranges: readonly IndexRange[]; readonly count: number }
  | { readonly type: "Problem"; readonly problem: string };

/** From an index to another, both included. */
export type IndexRange = readonly [first: number, last: number];

/** Reads indexes below the number of completions; they must be in order and none may be there twice. */
export function parseIndexRanges(text: string, completions: number): IndexRanges {
  const ranges: IndexRange[] = [];
  for (const part of text === "" ? [] : text.split(",")) {
    const range = parseRange(part, completions);
    if (typeof range === "string") return { type: "Problem", problem: range };
    const before = ranges.at(-1)?.[1];
    if (before !== undefined && before >= range[0]) return { type: "Problem", problem: nonIncreasing(before, range[0]) };
    ranges.push(range);
  }
  return { type: "Ranges", ranges, count: ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0) };
}

/** The first index that is in both texts; parts that make no sense are passed over. */
export function commonIndex(left: string, right: string, completions: number): number | undefined {
  const [lefts, rights] = [left, right].map((text) =>
    text
      .split(",")
      .map((part) => parseRange(part, completions))
      .filter((range) => typeof range !== "string"),
  );
  const common = (lefts ?? []).flatMap(([first, last]) =>
    (rights ?? []).filter((other) => first <= other[1] && other[0] <= last).map((other) => Math.max(first, other[0])),
  );
  return common.length === 0 ? undefined : Math.min(...common);
}

function parseRange(text: string, completions: number): IndexRange | string {
  const parts = text.split("-");
  if (parts.length > 2) {
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const part of parts) {
    if (!/^[+-]?\d{1,15}$/.test(part)) return `cannot convert string to integer for index: ${JSON.stringify(part)}`;
    if (Number(part) >= completions) return `too large index: ${JSON.stringify(part)}`;
    numbers.push(Number(part));
  }
  const [first = 0, last] = numbers;
  if (last === undefined) return [first, first];
  return first >= last ? nonIncreasing(first, last) : [first, last];
}

function nonIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
