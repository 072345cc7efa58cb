import { pino } from "pino";
import type { Clock } from "@kaji/core";
import type { Log } from "./log.ts";
import { readableLine } from "./readable-line.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** The lowest level that is written. */
export type LogLevel = (typeof logLevels)[number];

/** The levels, from the most to the least talkative. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** Where lines go, such as the standard error of a process. */
export interface LogTarget {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** How a log is written. */
export interface LogOptions {
  readonly level?: LogLevel | undefined;
  /** Default: `readable` on a terminal, otherwise `json`, an object on each line. */
  readonly format?: "json" | "readable" | undefined;
  readonly clock: Clock;
}

/** A log that writes lines to a target, and never a secret. */
export function createLog(target: LogTarget, { level = "info", format, clock }: LogOptions): Log {
  const isReadable = (format ?? (target.isTTY === true ? "readable" : "json")) === "readable";
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      // `withoutSecrets` serializes errors, like everything else.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
    },
    { write: (line) => void target.write(isReadable ? readableLine(line) : line) },
  );
  return withoutSecretsInChildren(logger);
}

/** A log whose children write no secrets either. */
function withoutSecretsInChildren(log: Log): Log {
  return {
    debug: (...line) => log.debug(...line),
    info: (...line) => log.info(...line),
    warn: (...line) => log.warn(...line),
    error: (...line) => log.error(...line),
    child: (fields) => withoutSecretsInChildren(log.child(withoutSecrets(fields))),
  };
}
