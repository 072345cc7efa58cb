import type { Log } from "./log.ts";

/** A log of what is of interest only when one looks for a fault. */
export function quietly(log: Log): Log {
  return {
    debug: (...line) => log.debug(...line),
    info: (...line) => log.debug(...line),
    warn: (...line) => log.warn(...line),
    error: (...line) => log.error(...line),
    child: (fields) => quietly(log.child(fields)),
  };
}
