import { pino } from "pino";
import type { Clock } from "@kaji/core";
import type { Log, LogLine } from "./log.ts";
import { readableLine } from "./readable-line.ts";
import { withoutCredentials, withoutSecrets } from "./without-secrets.ts";

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
  /** A function is asked at each line. Default `info`. */
  readonly level?: LogLevel | (() => LogLevel) | undefined;
  /** Default: `readable` on a terminal, otherwise `json`, an object on each line. */
  readonly format?: "json" | "readable" | undefined;
  readonly clock: Clock;
}

/** A log that writes lines to a target, and never a secret. */
export function createLog(target: LogTarget, { level = "info", format, clock }: LogOptions): Log {
  const isReadable = (format ?? (target.isTTY === true ? "readable" : "json")) === "readable";
  const logger = pino(
    {
      level: "debug",
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      // `withoutSecrets` serializes errors, like everything else.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
    },
    { write: (line) => void target.write(isReadable ? readableLine(line) : line) },
  );
  const lowest = typeof level === "function" ? level : () => level;
  return guarded(logger, (of) => logLevels.indexOf(of) >= logLevels.indexOf(lowest()));
}

/** A log that writes what is told at all, and whose children write no secrets either. */
function guarded(log: Log, isTold: (level: LogLevel) => boolean): Log {
  return {
    debug: (...line) => void (isTold("debug") && log.debug(...shown(line))),
    info: (...line) => void (isTold("info") && log.info(...shown(line))),
    warn: (...line) => void (isTold("warn") && log.warn(...shown(line))),
    error: (...line) => void (isTold("error") && log.error(...shown(line))),
    child: (fields) => guarded(log.child(withoutSecrets(fields)), isTold),
  };
}

/** The line with a message as it may be written. */
function shown(line: LogLine): LogLine {
  const [first, message] = line;
  if (typeof first === "string") return [withoutCredentials(first)];
  return message === undefined ? line : [first, withoutCredentials(message)];
}
