/** Takes structured lines: fields first, then the message. A pino logger is one. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A log whose every line has these fields too. */
  child(fields: object): Log;
}
