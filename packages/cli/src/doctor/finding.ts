/** What was found out about one thing, and what to do where it is not well. */
export type Finding =
  | { readonly state: "ok"; readonly subject: string; readonly text: string }
  | { readonly state: "problem" | "unknown"; readonly subject: string; readonly text: string; readonly remedy: string };

/** A finding as a line. */
export function findingLine(finding: Finding): string {
  const { state, subject, text } = finding;
  return `${state.padEnd(8)} ${subject}: ${text}${finding.state === "ok" ? "" : `; ${finding.remedy}`}\n`;
}
