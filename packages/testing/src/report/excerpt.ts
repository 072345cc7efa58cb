/** So many lines are shown. */
const mostLines = 40;
/** So many of them before something that matters, and after it. */
const before = 10;
const after = 5;

/** What is shown of many lines: those around what went wrong, and those that lead to where one should look. */
export function excerpt(lines: readonly string[], fault: number, culprit: number): readonly string[] {
  if (lines.length <= mostLines) return lines;
  const first = Math.max(0, Math.min(fault - before, lines.length - mostLines));
  const isFar = culprit >= first + mostLines;
  const turn = isFar ? first + mostLines / 2 : first + mostLines;
  const [again, last] = isFar
    ? [Math.max(turn, culprit + after + 1 - mostLines / 2), Math.min(lines.length, culprit + after + 1)]
    : [turn, turn];
  return [
    ...left(first, "before"),
    ...lines.slice(first, turn),
    ...left(again - turn, "in between"),
    ...lines.slice(again, last),
    ...left(lines.length - last, "more"),
  ];
}

function left(count: number, where: string): readonly string[] {
  return count > 0 ? [`… ${count} lines ${where}`] : [];
}
