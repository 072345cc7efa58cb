import type { Log, LogLine } from "../log.ts";

/** A line that was written. */
export interface RecordedLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines. */
export class RecordingLog implements Log {
  readonly lines: RecordedLine[];
  readonly #bound: object;

  constructor(lines: RecordedLine[] = [], bound: object = {}) {
    this.lines = lines;
    this.#bound = bound;
  }

  debug(...line: LogLine): void {
    this.#add("debug", line);
  }

  info(...line: LogLine): void {
    this.#add("info", line);
  }

  warn(...line: LogLine): void {
    this.#add("warn", line);
  }

  error(...line: LogLine): void {
    this.#add("error", line);
  }

  child(fields: object): Log {
    return new RecordingLog(this.lines, { ...this.#bound, ...fields });
  }

  /** The messages so far. */
  get messages(): string[] {
    return this.lines.map(({ message }) => message);
  }

  #add(level: RecordedLine["level"], line: LogLine): void {
    const [fields, message] = line.length === 2 ? line : [{}, ...line];
    this.lines.push({ level, message, fields: { ...this.#bound, ...fields } });
  }
}
