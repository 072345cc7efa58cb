import { systemAdmin } from "@kaji/apiserver";
import type { RequestRecord } from "@kaji/apiserver";
import type { Terminal } from "../command.ts";

/** Writes a line for each request of a client; those of the server's own controllers are not shown. */
export function requestLog(terminal: Terminal): (record: RequestRecord) => void {
  return (record) => {
    if (record.user !== systemAdmin) terminal.err(requestLine(record));
  };
}

/** What was asked, how it ended, how long it took, who asked: `list /api/v1/pods 200 3ms kubernetes-admin`. */
function requestLine({ info, user, status, durationMs }: RequestRecord): string {
  return `${info.verb} ${info.path} ${status} ${Math.round(durationMs)}ms ${user?.username ?? "-"}\n`;
}
