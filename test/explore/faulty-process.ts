import type { Clock, Transport, TransportResponse } from "@kaji/core";
import type { ManualClock } from "@kaji/core/testing";

/** What goes wrong, at one request of a process. */
export const faults = [
  "Crash before",
  "Crash after",
  "Refuse",
  "Lose answer",
  "Cut off",
  "Freeze 8 s",
  "Freeze 30 s",
  "Suspend 30 s",
] as const;

type Fault = (typeof faults)[number];

/** Which fault happens, and at which request, counted from 1. */
export interface FaultPlan {
  readonly fault: Fault;
  readonly request: number;
}

const latencyMs = 2;

/** The way from a process to the server, on which one thing goes wrong. What the server streams comes no sooner than the process runs. */
export function faultyLink(
  server: Transport,
  clock: ProcessClock,
  { plan, kill, onRequest }: { readonly plan: FaultPlan | undefined; readonly kill: () => void; readonly onRequest: () => number },
): Transport {
  return async (request) => {
    const fault = onRequest() === plan?.request ? plan.fault : undefined;
    // A request that was sent arrives, whatever becomes of the process.
    await clock.outside.sleep(latencyMs, request.signal);
    const response = await struck(fault, () => server(request), { clock, kill });
    await clock.sleep(latencyMs, request.signal);
    return { ...response, body: late(response.body, clock) };
  };
}

async function* late(body: AsyncIterable<Uint8Array>, clock: ProcessClock): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (!clock.isRunning) await clock.sleep(0);
    yield chunk;
  }
}

async function struck(
  fault: Fault | undefined,
  act: () => Promise<TransportResponse>,
  { clock, kill }: { readonly clock: ProcessClock; readonly kill: () => void },
): Promise<TransportResponse> {
  if (fault === "Crash before" || fault === "Cut off" || fault === "Refuse") {
    if (fault === "Crash before") kill();
    if (fault === "Cut off") await clock.sleep(20_000);
    throw new Error(fault);
  }
  const response = await act();
  if (fault === "Crash after") kill();
  if (fault === "Lose answer") throw new Error(fault);
  if (fault === "Freeze 8 s") clock.freeze(8000, false);
  if (fault === "Freeze 30 s") clock.freeze(30_000, false);
  if (fault === "Suspend 30 s") clock.freeze(30_000, true);
  return response;
}

/** The time of a process: it may stand still for a while, and if the machine was suspended, only the wall clock knows. */
export class ProcessClock implements Clock {
  readonly #clock: ManualClock;
  #frozenUntilMs = 0;
  #lostMs = 0;
  #isStopped = false;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** The time of everybody else. */
  get outside(): Clock {
    return this.#clock;
  }

  get isRunning(): boolean {
    return !this.#isStopped && this.#clock.now() >= this.#frozenUntilMs;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic() - this.#lostMs;
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => void this.timer(delayMs, resolve));
    signal?.throwIfAborted();
  }

  /** What falls due while the process stands still happens when it goes on. */
  timer(delayMs: number, callback: () => void): Disposable {
    let timer: Disposable | undefined;
    const due = (): void => {
      if (this.#isStopped) return;
      const restMs = this.#frozenUntilMs - this.#clock.now();
      if (restMs > 0) timer = this.#clock.timer(restMs, due);
      else callback();
    };
    timer = this.#clock.timer(delayMs, due);
    return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
  }

  freeze(forMs: number, isUncounted: boolean): void {
    this.#frozenUntilMs = this.#clock.now() + forMs;
    if (isUncounted) this.#clock.timer(forMs - 1, () => (this.#lostMs += forMs));
  }

  stop(): void {
    this.#isStopped = true;
  }
}
