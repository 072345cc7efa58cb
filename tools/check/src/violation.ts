/** A rule that a file breaks, and where. */
export interface Violation {
  readonly rule: string;
  /** Relative to the root of the workspace. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** One line per violation, in the order of the files, so that editors and readers can jump to it. */
export function formatViolations(violations: readonly Violation[]): string {
  const lines = violations.toSorted(byPlace).map(({ file, line, rule, message }) => `${file}:${line}: ${rule}: ${message}\n`);
  return lines.join("");
}

function byPlace(left: Violation, right: Violation): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line;
}
