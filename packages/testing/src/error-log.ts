import { messageWithCauses } from "@kaji/core";
import type { Log, LogLine } from "@kaji/runtime";

/** Keeps what is logged as an error, so that a test can look at it. */
export class ErrorLog implements Log {
  readonly lines: string[];
  readonly #onError: (error: Error) => void;

  constructor(lines: string[] = [], onError: (error: Error) => void = () => {}) {
    this.lines = lines;
    this.#onError = onError;
  }

  debug(): void {}

  info(): void {}

  warn(): void {}

  error(...line: LogLine): void {
    const [fields, message] = line.length === 2 ? line : [{}, ...line];
    const cause = "error" in fields ? fields.error : "err" in fields ? fields.err : undefined;
    this.lines.push(cause instanceof Error ? `${message}: ${messageWithCauses(cause)}` : message);
    if (cause instanceof Error) this.#onError(cause);
  }

  child(): Log {
    return new ErrorLog(this.lines, this.#onError);
  }
}
