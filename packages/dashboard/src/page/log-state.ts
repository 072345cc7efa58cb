import type { LogMessage } from "./live-message.ts";

/** What a page knows of the log that it shows. */
export interface LogState {
  /** The newest lines, the oldest first. */
  readonly blocks: readonly LogBlock[];
  /** The last line, of which the end has not come yet. */
  readonly begun: string;
  readonly link: LogLink;
}

/** Lines that are drawn together: one more line draws one block anew, not all of them. */
export interface LogBlock {
  /** How many blocks there were before. */
  readonly id: number;
  readonly lines: readonly string[];
}

/** How the log is being read. */
export type LogLink =
  | { readonly type: "Opening" }
  | { readonly type: "Open" }
  | { readonly type: "Ended" }
  | { readonly type: "Failed"; readonly why: string };

const linesInBlock = 100;
/** A page keeps no more of a log than these, and shows no more of a line. */
const mostBlocks = 20;
const longestLine = 2000;

/** A log of which nothing has been read. */
export const emptyLog: LogState = { blocks: [], begun: "", link: { type: "Opening" } };

/** The log after something was told of it. */
export function withLogMessage(log: LogState, message: LogMessage): LogState {
  switch (message.type) {
    case "Opened":
      // What was read before is told again.
      return { ...emptyLog, link: { type: "Open" } };
    case "Text":
      return withText(log, message.text);
    case "Ended":
      return { ...log, link: { type: "Ended" } };
    case "Failed":
      return { ...log, link: message };
  }
}

/** Whether older lines than those that are kept were left out. */
export function isCut({ blocks }: LogState): boolean {
  return (blocks[0]?.id ?? 0) > 0;
}

function withText(log: LogState, text: string): LogState {
  const lines = (log.begun + text).split("\n");
  const begun = (lines.pop() ?? "").slice(0, longestLine + 1);
  const blocks = [...log.blocks];
  // So many fill all blocks.
  for (let at = 0; at < lines.length;) {
    const last = blocks.at(-1);
    const open = last !== undefined && last.lines.length < linesInBlock ? blocks.pop() : undefined;
    const { id, lines: before } = open ?? { id: (last?.id ?? -1) + 1, lines: [] };
    const more = lines.slice(at, at + linesInBlock - before.length).map(shownLine);
    blocks.push({ id, lines: [...before, ...more] });
    at += more.length;
  }
  return { ...log, blocks: blocks.slice(-mostBlocks), begun };
}

/** A line as one reads it: without the colours of a terminal, and no longer than a page can bear. */
export function shownLine(line: string): string {
  const text = line.slice(0, 2 * longestLine).replaceAll(terminalCodes, "");
  return line.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}

/** Escape sequences for colours and the cursor, and the return before a line end. */
const terminalCodes = new RegExp(`${String.fromCodePoint(0x1b)}\\[[\\d;?]*[A-Za-z]|\\r$`, "g");
