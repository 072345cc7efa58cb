import type { RequestRecord } from "@kaji/apiserver";
import type { Terminal } from "../command.ts";

/** Writes what went wrong in the server itself, with its stack: the client is told no more than that there was an internal error. */
export function failureLog(terminal: Terminal): (record: RequestRecord) => void {
  return ({ info, failure }) => {
    if (failure !== undefined) terminal.err(`internal error in ${info.verb} ${info.path}: ${failure.stack ?? failure.message}\n`);
  };
}
