/** One line of a log: its fields and then its message, or its message alone. */
export type LogLine = [fields: object, message: string] | [message: string];

/** Takes structured lines. A pino logger is one. */
export interface Log {
  debug(...line: LogLine): void;
  info(...line: LogLine): void;
  warn(...line: LogLine): void;
  error(...line: LogLine): void;
  /** A log whose every line has these fields too. */
  child(fields: object): Log;
}
