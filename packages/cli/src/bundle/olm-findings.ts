import type { OlmFinding } from "@kaji/manifests";
import { CommandError } from "../command.ts";
import type { Terminal } from "../command.ts";

/** Passes on what is ill-advised, and refuses to go on where something is wrong: all of it is said, the first in the error. */
export function requireSound(findings: readonly OlmFinding[], what: string, terminal: Terminal): void {
  for (const finding of findings.filter(({ level }) => level === "Warning")) terminal.err(`warning: ${lineOf(finding)}\n`);
  const [first, ...others] = findings.filter(({ level }) => level === "Error");
  if (first === undefined) return;
  for (const finding of others) terminal.err(`error: ${lineOf(finding)}\n`);
  throw new CommandError(`${what} would not be taken: ${lineOf(first)}`);
}

function lineOf({ place, text }: OlmFinding): string {
  return `${place}: ${text}`;
}
