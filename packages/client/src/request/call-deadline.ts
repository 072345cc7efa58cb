import type { TimeLimit, TransportRequest } from "@kaji/core";
import { TransportError, failedRequest } from "../transport-error.ts";

/** What is to be done in time. */
type Call = Pick<TransportRequest, "method" | "path" | "signal">;

/** The time that a call may take, from now on until it is disposed of: its signal aborts when that is over, and when the caller's does. */
export class CallDeadline implements Disposable {
  readonly #end = new AbortController();
  readonly #call: Call;
  readonly #limited: Disposable;

  constructor(call: Call, limit: TimeLimit) {
    this.#call = call;
    this.#limited = limit.begin(() => {
      this.#end.abort(new TransportError("TimedOut", `no answer within ${limit.lengthMs / 1000} s`, { request: failedRequest(call) }));
    });
    // By hand, since AbortSignal.any takes several times as long.
    if (call.signal?.aborted === true) this.#onAbort();
    else call.signal?.addEventListener("abort", this.#onAbort);
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  readonly #onAbort = (): void => this.#end.abort(this.#call.signal?.reason);

  [Symbol.dispose](): void {
    this.#limited[Symbol.dispose]();
    this.#call.signal?.removeEventListener("abort", this.#onAbort);
  }
}
