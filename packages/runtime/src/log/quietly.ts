import type { Log } from "./log.ts";

/** A log of what is of interest only when one looks for a fault. */
export function quietly(log: Log): Log {
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.debug(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    child: (fields) => quietly(log.child(fields)),
  };
}
