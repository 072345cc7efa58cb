import type { Log } from "@kaji/runtime";
import { errorKind } from "./error-kind.ts";
import type { Trace } from "./trace.ts";

/** Puts what an operator logs as an error into the trace. */
export class OperatorLog implements Log {
  readonly #trace: Trace;
  readonly #incarnation: number;

  constructor(trace: Trace, incarnation: number) {
    this.#trace = trace;
    this.#incarnation = incarnation;
  }

  debug(): void {}

  info(): void {}

  warn(): void {}

  error(fields: object, message: string): void {
    const error: unknown = "err" in fields ? fields.err : undefined;
    const text = error instanceof Error ? `${message}: ${error.message}` : message;
    const kind = message.includes("forgot") ? "Forgotten" : errorKind(error);
    this.#trace.add({ type: "Error", incarnation: this.#incarnation, text, kind });
  }

  child(): Log {
    return this;
  }
}
