import type { TellTrouble } from "@kaji/apiserver";
import type { Log } from "@kaji/runtime";

/** Says in a log what the API server's own controllers cannot do. */
export function logTrouble(log: Log): TellTrouble {
  return ({ error, kind, object }) => log.warn({ err: error, kind, object }, "a controller of the API server failed; will retry");
}
