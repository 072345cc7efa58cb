/** What rows are ordered by: a number, a text, or nothing. */
export type CellValue = number | string | undefined;

/** The cells of one column as what they are: lengths of time, numbers and quantities, or parts of a whole if all of them are, and texts otherwise. */
export function cellValues(cells: readonly string[]): readonly CellValue[] {
  const given = cells.filter((cell) => !isNothing(cell));
  const read = readings.find((reading) => given.every((cell) => reading(cell) !== undefined));
  return cells.map((cell) => (isNothing(cell) ? undefined : read === undefined ? cell : read(cell)));
}

/** Empty, or a word for it: `<none>`, `<unset>`, `<unknown>`. */
function isNothing(cell: string): boolean {
  return cell === "" || /^<[a-z ]+>$/.test(cell);
}

/** Which one a column is follows from all its cells: `5m` is five minutes beside `2h`, and five thousandths beside `1`. */
const readings: readonly ((cell: string) => number | undefined)[] = [secondsOf, numberOf, partOf];

const seconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, y: 365 * 86_400 };

/** `3d4h`, `90s`. */
function secondsOf(cell: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhdy]))+$/.test(cell)) return undefined;
  const parts = cell.matchAll(/([\d.]+)([a-z]+)/g);
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (seconds[unit] ?? 0), 0);
}

const factors: Readonly<Record<string, number>> = {
  ...Object.fromEntries(["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((suffix, index) => [suffix, 1024 ** (index + 1)])),
  ...Object.fromEntries(["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].map((suffix, index) => [suffix, 1000 ** (index - 3)])),
  "%": 0.01,
};

/** `12`, `1.5e3`, `500m`, `2Gi`, `80%`. */
function numberOf(cell: string): number | undefined {
  const [, digits, suffix = ""] = /^([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)([KMGTPE]i|[numkMGTPE%])?$/.exec(cell) ?? [];
  return digits === undefined ? undefined : Number(digits) * (factors[suffix] ?? 1);
}

/** `1/3`: how much of it there is. */
function partOf(cell: string): number | undefined {
  const [, part, whole] = /^(\d+)\/(\d+)$/.exec(cell) ?? [];
  return part === undefined ? undefined : Number(whole) === 0 ? 1 : Number(part) / Number(whole);
}
