import type { Clock, TransportRequest } from "@kaji/core";
import { TransportError, failedRequest } from "../transport-error.ts";

/** What is to be done in time. */
type Call = Pick<TransportRequest, "method" | "path" | "signal">;

/** The time that a call may take, from now on until it is disposed of: its signal aborts when that is over, and when the caller's does. */
export class CallDeadline implements Disposable {
  readonly #end = new AbortController();
  readonly #call: Call;
  readonly #timer: Disposable;

  constructor(call: Call, timeoutMs: number, clock: Clock) {
    this.#call = call;
    this.#timer = clock.timer(timeoutMs, () => {
      this.#end.abort(new TransportError("TimedOut", `no answer within ${timeoutMs / 1000} s`, { request: failedRequest(call) }));
    });
    // By hand, since AbortSignal.any takes several times as long.
    if (call.signal?.aborted === true) this.handleEvent();
    else call.signal?.addEventListener("abort", this);
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The caller's signal was aborted. */
  handleEvent(): void {
    this.#end.abort(this.#call.signal?.reason);
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
    this.#call.signal?.removeEventListener("abort", this);
  }
}
