import { onAbort } from "@kaji/core";
import type { TimeLimit, TransportRequest } from "@kaji/core";
import { TransportError, failedRequest } from "../transport-error.ts";

/** What is to be done in time. */
type Call = Pick<TransportRequest, "method" | "path" | "signal">;

/** The time that a call may take, from now on until it is disposed of: its signal aborts when that is over, and when the caller's does. */
export class CallDeadline implements Disposable {
  readonly #end = new AbortController();
  readonly #limited: Disposable;
  readonly #aborted: Disposable;

  constructor(call: Call, limit: TimeLimit) {
    this.#limited = limit.begin(() => {
      this.#end.abort(new TransportError("TimedOut", `no answer within ${limit.lengthMs / 1000} s`, { request: failedRequest(call) }));
    });
    // By hand, since AbortSignal.any takes several times as long.
    this.#aborted = onAbort(call.signal, (reason) => this.#end.abort(reason));
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  [Symbol.dispose](): void {
    this.#limited[Symbol.dispose]();
    this.#aborted[Symbol.dispose]();
  }
}
