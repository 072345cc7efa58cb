import type { RequestRecord } from "@kaji/apiserver";
import type { Terminal } from "../command.ts";

/** Watches what the operator asks of the API server. */
export interface OperatorRequests {
  /** The user that the operator is; none at first. */
  user: string;
  readonly observe: (record: RequestRecord) => void;
}

/** Writes a line for everything that the operator writes, and for whatever it is refused. */
export function operatorRequests(terminal: Terminal): OperatorRequests {
  const requests: OperatorRequests = {
    user: "",
    observe(record) {
      if (record.user?.username !== requests.user || !isWorthALine(record)) return;
      terminal.err(requestLine(record));
    },
  };
  return requests;
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

function isWorthALine({ info, status }: RequestRecord): boolean {
  const isHousekeeping = info.path.includes("/leases/") || info.path.includes("/events");
  return (status >= 400 && status !== 404) || (!reads.has(info.verb) && !isHousekeeping);
}

/** `operator: patch /api/v1/namespaces/default/configmaps/example: 200 in 3 ms`. */
function requestLine({ info, status, durationMs }: RequestRecord): string {
  return `operator: ${info.verb} ${info.path}: ${status} in ${Math.round(durationMs)} ms\n`;
}
