import { messageWithCauses } from "@kaji/core";
import type { Log, LogLine } from "@kaji/runtime";
import { errorKind } from "./error-kind.ts";
import type { Trace } from "./trace.ts";

/** Puts what an operator logs as an error into the trace. */
export class OperatorLog implements Log {
  readonly #trace: Trace;
  readonly #life: number;

  constructor(trace: Trace, life: number) {
    this.#trace = trace;
    this.#life = life;
  }

  debug(): void {}

  info(): void {}

  warn(): void {}

  error(...line: LogLine): void {
    const [fields, message] = line.length === 2 ? line : [{}, ...line];
    const error: unknown = "err" in fields ? fields.err : undefined;
    const text = error instanceof Error ? `${message}: ${messageWithCauses(error)}` : message;
    const kind = "unawaited" in fields ? "Forgotten" : errorKind(error);
    this.#trace.add({ type: "Error", life: this.#life, text, kind }, error instanceof Error ? { stack: error } : undefined);
  }

  child(): Log {
    return this;
  }
}
