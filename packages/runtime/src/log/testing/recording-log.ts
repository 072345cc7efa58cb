import type { Log } from "../log.ts";

/** One line of a log. */
export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines. */
export class RecordingLog implements Log {
  readonly lines: LogLine[];
  readonly #bound: object;

  constructor(lines: LogLine[] = [], bound: object = {}) {
    this.lines = lines;
    this.#bound = bound;
  }

  debug(fields: object, message: string): void {
    this.#add("debug", fields, message);
  }

  info(fields: object, message: string): void {
    this.#add("info", fields, message);
  }

  warn(fields: object, message: string): void {
    this.#add("warn", fields, message);
  }

  error(fields: object, message: string): void {
    this.#add("error", fields, message);
  }

  child(fields: object): Log {
    return new RecordingLog(this.lines, { ...this.#bound, ...fields });
  }

  /** The messages so far. */
  get messages(): string[] {
    return this.lines.map(({ message }) => message);
  }

  #add(level: LogLine["level"], fields: object, message: string): void {
    this.lines.push({ level, message, fields: { ...this.#bound, ...fields } });
  }
}
